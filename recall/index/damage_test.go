package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// small is an index with two segments of documents, one of them with a removal, and
// vectors of all chunks.
func small(t testing.TB, dir string, o Options) *Index {
	t.Helper()
	x := open(t, dir, o)
	c := Change{To: tipsOf(1)}
	for i := range 12 {
		c.Docs = append(c.Docs, smallDoc(i, "wiped"))
	}
	update(t, x, c)
	update(t, x, Change{From: tipsOf(1), To: tipsOf(2), Docs: []segment.Doc{smallDoc(3, "moved")}, Removed: []string{"doc4"}})
	embedAll(t, x)
	return x
}

// smallDocs are the documents of small in the end.
func smallDocs() (out []segment.Doc) {
	for i := range 12 {
		if i != 4 {
			out = append(out, smallDoc(i, map[bool]string{true: "moved", false: "wiped"}[i == 3]))
		}
	}
	return out
}

func smallDoc(i int, word string) segment.Doc {
	return segment.Doc{Meta: segment.Meta{Key: fmt.Sprintf("doc%d", i), Kind: "knowledge", Keywords: []string{"staging"}, Patterns: []string{"x+"}}, Body: fmt.Sprintf("staging %s on day %d", word, i)}
}

func tipsOf(n int) map[string]string { return map[string]string{"refs/sage/knowledge": fmt.Sprint(n)} }

func update(t testing.TB, x *Index, c Change) {
	t.Helper()
	must(t, x.Update(context.Background(), c))
}

func embedAll(t testing.TB, x *Index) {
	t.Helper()
	some, _, err := x.Missing(context.Background(), 1000)
	var add []Vector
	for _, c := range some {
		add = append(add, Vector{c.ID, testVector(uint64(c.ID[0]))})
	}
	if err == nil {
		err = x.AddVectors(context.Background(), add)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ask is a search that reads everything.
func ask(x *Index) (*Result, error) {
	return x.Search(context.Background(), Query{Text: "staging wiped moved on day 1 2 3 4 5 6 7 8 9 10 11", Vector: testVector(5), Limit: 100})
}

// copyOf copies the files of an index.
func copyOf(t testing.TB, dir string) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// checkDamaged holds an index with a damaged file to what it promises: an answer that
// is right, or lacks vectors, or an error after which it is empty; and when it was
// filled again, all is as it was.
func checkDamaged(t *testing.T, dir string, want *Result) {
	t.Helper()
	x, err := Open(dir, testOptions())
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	defer x.Close()
	got, err := ask(x)
	switch tips, err2 := x.Tips(); {
	case err2 != nil:
		t.Fatalf("tips: %v", err2)
	case err != nil && !errors.Is(err, ErrDamaged):
		t.Fatalf("search: %v", err)
	case err != nil && len(tips) > 0:
		t.Fatalf("damaged and not empty: %v", err)
	case len(tips) > 0:
		checkAnswer(t, got, want)
	default:
		update(t, x, Change{To: tipsOf(2), Rebuild: true, Docs: smallDocs()})
	}
	embedAll(t, x)
	if got, err = ask(x); err != nil {
		t.Fatalf("healed: %v", err)
	}
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Result{}, "Vectors", "Mean")); d != "" {
		t.Fatalf("healed: %s", d)
	}
}

// checkAnswer compares all but missing vectors.
func checkAnswer(t *testing.T, got, want *Result) {
	t.Helper()
	missing := cmp.FilterPath(func(p cmp.Path) bool {
		name := p.Last().String()
		return name == ".Vector" || name == ".Cosine" || name == ".Chunk" || name == ".Nearest" || name == ".Vectors" || name == ".Mean"
	}, cmp.Ignore())
	if d := cmp.Diff(want, got, missing, cmpopts.EquateEmpty()); d != "" {
		t.Fatal(d)
	}
	for i, h := range got.Hits {
		if w := want.Hits[i]; h.Vector && h.Cosine != w.Cosine {
			t.Fatalf("%s: cosine %v, want %v", h.Meta.Key, h.Cosine, w.Cosine)
		}
	}
}

// Whatever byte of whatever file is wrong, and wherever a file ends, nothing is found
// that is not so.
// It is case A11.
func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	want, err := ask(small(t, dir, testOptions()))
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*[gt]"))
	if len(files) != 5 {
		t.Fatalf("files: %v", files)
	}
	for _, file := range files {
		name := filepath.Base(file)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		step := max(1, len(whole)/16)
		if testing.Short() {
			step = max(1, len(whole)/8)
		}
		for at := 0; at < len(whole); at += step {
			for what, bytes := range map[string][]byte{"flipped": flipped(whole, at), "cut": whole[:at], "zeros": zeroed(whole, at)} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, what, at), func(t *testing.T) {
					dir := copyOf(t, dir)
					must(t, os.WriteFile(filepath.Join(dir, name), bytes, 0o600))
					checkDamaged(t, dir, want)
				})
			}
		}
		t.Run(name+"/missing", func(t *testing.T) {
			dir := copyOf(t, dir)
			_ = os.Remove(filepath.Join(dir, name))
			checkDamaged(t, dir, want)
		})
		t.Run(name+"/a folder", func(t *testing.T) {
			dir := copyOf(t, dir)
			file := filepath.Join(dir, name)
			must(t, errors.Join(os.Remove(file), os.MkdirAll(filepath.Join(file, "in it"), 0o700)))
			checkDamaged(t, dir, want)
			checkHealed(t, dir)
		})
	}
}

// checkHealed makes sure that damage was noted when it had been made good, and that
// there is none any more.
func checkHealed(t *testing.T, dir string) {
	t.Helper()
	x := open(t, dir, testOptions())
	h := x.Healed()
	if h.Files != 1 || h.Why == "" || time.Since(h.At) > time.Hour {
		t.Errorf("healed: %+v", h)
	}
	if st, err := x.Status(context.Background()); err != nil || st.Damaged != "" || st.Docs != 11 {
		t.Errorf("behind it: %+v %v", st, err)
	}
}

func flipped(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1 << (at % 8)
	return b
}

// zeroed is what a power cut leaves: the length, and nothing behind some point.
func zeroed(b []byte, at int) []byte {
	b = bytes.Clone(b)
	clear(b[at:])
	return b
}

// What another repository, model or version left is not seen, and stays.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	want, err := ask(small(t, dir, testOptions()))
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Options){
		"store":  func(o *Options) { o.Store = "other" },
		"model":  func(o *Options) { o.Model = "other" },
		"length": func(o *Options) { o.Dim = 64 },
		"none":   func(o *Options) { o.Model, o.Dim = "", 0 },
	} {
		t.Run(name, func(t *testing.T) {
			o := testOptions()
			change(&o)
			x := open(t, copyOf(t, dir), o)
			tips, err := x.Tips()
			if err != nil || (len(tips) > 0) != (name != "store") {
				t.Fatalf("tips: %v %v", tips, err)
			}
			got, err := x.Search(context.Background(), Query{Text: "staging"})
			if err != nil || (len(got.Hits) > 0) != (name != "store") {
				t.Fatalf("%+v %v", got, err)
			}
			if st, err := x.Status(context.Background()); err != nil || st.Vectors != 0 {
				t.Fatalf("%+v %v", st, err)
			}
		})
	}
	got, err := ask(open(t, dir, testOptions()))
	if err != nil || cmp.Diff(want, got, cmpopts.EquateEmpty()) != "" {
		t.Fatal(err, cmp.Diff(want, got))
	}
}

// A segment that is cut while it is read is damage like any other.
func TestCutWhileOpen(t *testing.T) {
	dir := t.TempDir()
	x := small(t, dir, testOptions())
	if _, err := ask(x); err != nil {
		t.Fatal(err)
	}
	for _, file := range segmentsIn(t, dir) {
		if err := os.Truncate(file, 0); err != nil {
			t.Skip(err) // Windows keeps what is open
		}
	}
	if _, err := ask(x); err == nil {
		t.Error("found something in files that are gone")
	}
	if tips, err := x.Tips(); err != nil || len(tips) > 0 {
		t.Errorf("tips: %v %v", tips, err)
	}
}

func segmentsIn(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.seg"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	return files
}

// Whatever operation fails, and whichever of them, an update is made whole or not at
// all; it is the same afterwards as if nothing had failed.
func TestFailingDisk(t *testing.T) {
	dir := t.TempDir()
	before, err := ask(small(t, dir, testOptions()))
	if err != nil {
		t.Fatal(err)
	}
	act := func(x *Index) error {
		err := x.AddVectors(context.Background(), []Vector{{x.o.Chunks(ptr(smallDoc(20, "wiped")))[0].ID, testVector(9)}})
		err2 := x.Update(context.Background(), Change{From: tipsOf(2), To: tipsOf(3), Docs: []segment.Doc{smallDoc(20, "wiped")}, Removed: []string{"doc1"}})
		return errors.Join(err, err2, x.Compact(context.Background()))
	}
	done := copyOf(t, dir)
	must(t, act(open(t, done, testOptions())))
	after, err := ask(open(t, done, testOptions()))
	if err != nil {
		t.Fatal(err)
	}
	for n, failed := 0, true; failed; n++ {
		dir := copyOf(t, dir)
		x := open(t, dir, testOptions())
		left := n
		failed = false
		restore := disk.Inject(func(op, path string) error {
			if left--; left == -1 {
				failed = true
				return syscall.ENOSPC
			}
			return nil
		})
		err := act(x)
		restore()
		if failed && err != nil && !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, ErrMoved) {
			t.Errorf("operation %d: %v", n, err)
		}
		for _, x := range []*Index{x, open(t, dir, testOptions())} {
			tips, err := x.Tips()
			if err != nil {
				t.Fatal(err)
			}
			want := before
			if maps.Equal(tips, tipsOf(3)) {
				want = after
			} else if !maps.Equal(tips, tipsOf(2)) {
				t.Fatalf("operation %d: tips %v", n, tips)
			}
			got, err := ask(x)
			if err != nil {
				t.Fatalf("operation %d: %v", n, err)
			}
			checkAnswer(t, got, want)
		}
		if temps, _ := filepath.Glob(filepath.Join(dir, disk.TempPrefix+"*")); len(temps) > 0 {
			t.Errorf("operation %d left %v", n, temps)
		}
		if err := act(open(t, dir, testOptions())); err != nil && !strings.Contains(err.Error(), ErrMoved.Error()) {
			t.Errorf("after operation %d: %v", n, err)
		}
		if n > 500 {
			t.Fatal("it never ends")
		}
	}
}

func ptr[T any](v T) *T { return &v }
