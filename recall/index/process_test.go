package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

const childVar = "SAGE_INDEX_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVar); name != "" {
		n, _ := strconv.Atoi(os.Args[2])
		if err := write(os.Args[1], name, n); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// write adds n documents, each with its vector, and says so of each.
func write(dir, name string, n int) error {
	x, err := Open(dir, testOptions())
	if err != nil {
		return err
	}
	ctx := context.Background()
	for i := range n {
		d := segment.Doc{Meta: segment.Meta{Key: fmt.Sprintf("%s-%d", name, i)}, Body: fmt.Sprintf("staging of %s number %d", name, i)}
		for {
			tips, err := x.Tips()
			if err != nil {
				return err
			}
			next, _ := strconv.Atoi(tips["n"])
			err = x.Update(ctx, Change{From: tips, To: map[string]string{"n": strconv.Itoa(next + 1)}, Docs: []segment.Doc{d}})
			if err == nil {
				break
			}
			if !errors.Is(err, ErrMoved) {
				return err
			}
		}
		if err := x.AddVectors(ctx, []Vector{{x.o.Chunks(&d)[0].ID, testVector(uint64(i))}}); err != nil {
			return err
		}
		if i%16 == 15 {
			if err := x.Compact(ctx); err != nil && !errors.Is(err, ErrBusy) {
				return err
			}
		}
		fmt.Println(i)
	}
	return nil
}

func child(t *testing.T, dir, name string, n int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir, strconv.Itoa(n))
	cmd.Env = append(os.Environ(), childVar+"="+name)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, bufio.NewScanner(out)
}

// checkHas looks for the first n documents of a writer, by words and by meaning.
func checkHas(t *testing.T, x *Index, name string, n int) {
	t.Helper()
	for i := range n {
		key := fmt.Sprintf("%s-%d", name, i)
		r, err := x.Search(context.Background(), Query{Text: fmt.Sprintf("%s number %d", name, i), Vector: testVector(uint64(i)), Also: []string{key}})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, h := range r.Hits {
			found = found || h.Meta.Key == key && h.Keyword > 0 && h.Vector && h.Cosine > 0.99
		}
		if !found {
			t.Fatalf("%s is not found with its vector", key)
		}
	}
}

// Several processes write at once, and none loses what another wrote.
func TestWritersAtOnce(t *testing.T) {
	dir := t.TempDir()
	const writers, each = 3, 20
	var done sync.WaitGroup
	for w := range writers {
		_, lines := child(t, dir, fmt.Sprintf("writer%d", w), each)
		done.Go(func() {
			n := 0
			for ; lines.Scan(); n++ {
				if lines.Text() != strconv.Itoa(n) {
					t.Errorf("writer %d: %s", w, lines.Text())
				}
			}
			if n != each {
				t.Errorf("writer %d wrote %d", w, n)
			}
		})
	}
	done.Wait()
	x := open(t, dir, testOptions())
	for w := range writers {
		checkHas(t, x, fmt.Sprintf("writer%d", w), each)
	}
	if tips, err := x.Tips(); err != nil || tips["n"] != strconv.Itoa(writers*each) {
		t.Errorf("tips: %v %v", tips, err)
	}
}

// A writer that is killed leaves what it acknowledged, whole, and keeps nobody out.
// It is case A12.
func TestKilledWriter(t *testing.T) {
	dir := t.TempDir()
	for round := range 12 {
		name := fmt.Sprintf("killed%d", round)
		cmd, lines := child(t, dir, name, 1000)
		acknowledged := 0
		for acknowledged < 1+7*round%20 && lines.Scan() {
			acknowledged++
		}
		must(t, cmd.Process.Kill())
		_ = cmd.Wait()
		x, err := Open(dir, testOptions())
		if err != nil {
			t.Fatal(err)
		}
		checkHas(t, x, name, acknowledged)
		st, err := x.Status(context.Background())
		if err != nil || st.Damaged != "" {
			t.Fatalf("%+v %v", st, err)
		}
		x.Close()
	}
	x := open(t, dir, testOptions())
	must(t, x.Compact(context.Background()))
	if st, err := x.Status(context.Background()); err != nil || st.Segments != 2 || st.Chunks-st.Vectors > 12 { // each may have died between a document and its vector
		t.Fatalf("%+v %v", st, err)
	}
}

// What a killed writer left is removed when it is old, and nobody else's files are.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	x := small(t, dir, testOptions())
	old := map[string]bool{ // whether it goes
		disk.TempPrefix + "1": true, "docs3-0123456789abcdef.seg": true, x.vecs.Prefix + "-0123456789abcdef.seg": true,
		"vectors1-ffffffff-0123456789abcdef.seg": true, "docs0-0123456789abcdef.seg": true, "docs0.list": true,
		"id": false, "notes.txt": false, "docs.txt": false,
	}
	long := time.Now().Add(-2 * unused)
	for name := range old {
		file := filepath.Join(dir, name)
		must(t, errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, long, long)))
	}
	young := filepath.Join(dir, "docs3-1123456789abcdef.seg")
	must(t, os.WriteFile(young, nil, 0o600))
	want, err := ask(x)
	if err == nil {
		err = x.Compact(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, goes := range old {
		if _, err := os.Stat(filepath.Join(dir, name)); os.IsNotExist(err) != goes {
			t.Errorf("%s: %v, want gone %v", name, err, goes)
		}
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("a file that is about to be named went: %v", err)
	}
	got, err := ask(x)
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, got, want)
}
