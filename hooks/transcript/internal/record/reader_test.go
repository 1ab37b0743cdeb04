package record

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/hooks/transcript/internal/samples"
)

// readAll reads what is there: what is said, each with its offset.
func readAll(t *testing.T, r *Reader) (said []string) {
	t.Helper()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return said
		}
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, fmt.Sprintf("%d %s %s", rec.Offset, rec.Type, rec.Text()))
	}
}

func line(kind, text string) string {
	return fmt.Sprintf(`{"uuid":"%s-%s","type":%q,"message":{"content":%q}}`, kind, text, kind, text) + "\n"
}

func TestReaderPassesOver(t *testing.T) {
	long := line("user", strings.Repeat("x", maxLine))
	file := line("user", "a") + "not json\n\n" + `{"type":"attachment","attachment":{` + "\n" + long + `{"kind":"new"}` + "\n" +
		line("assistant", "b") + `{"type":"user","message":` + "\n" + line("hologram", "c") + "[1]\n" + strings.Replace(line("user", "?"), "?", "\xff", 2)
	r := NewReader(strings.NewReader(file + `{"type":"user","message":{"content":"torn"}}`))
	got := readAll(t, r)
	for i, s := range got {
		got[i] = s[strings.Index(s, " ")+1:]
	}
	if want := []string{"user a", "assistant b", "user \ufffd"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if want := (Skipped{Long: 1, Broken: 4, Other: 2}); r.Skipped() != want {
		t.Errorf("skipped %+v", r.Skipped())
	}
	if at := r.Position().Offset; at != int64(len(file)) {
		t.Errorf("at %d of %d", at, len(file))
	}
	if cap(r.buf) > maxLine+1 {
		t.Errorf("the buffer has %d bytes", cap(r.buf))
	}
}

// A line of the greatest length is read, one byte more is not.
func TestLongestLine(t *testing.T) {
	for _, n := range []int{maxLine, maxLine + 1} {
		s := strings.Repeat(" ", n-len(line("user", "a"))+1) + line("user", "a") + line("user", "b")
		got := readAll(t, NewReader(strings.NewReader(s)))
		if want := map[int]int{maxLine: 2, maxLine + 1: 1}[n]; len(got) != want {
			t.Errorf("%d bytes: %d records", n, len(got))
		}
	}
}

// growing is a file that grows while it is read.
type growing struct{ b []byte }

func (g *growing) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(g.b).ReadAt(b, at)
}

func TestReaderFollowsAFile(t *testing.T) {
	g := &growing{}
	r := NewReader(g)
	whole := line("user", "a") + line("assistant", strings.Repeat("b", 100_000)) + line("user", "c")
	var got []string
	for i := 0; i <= len(whole); i += 777 {
		g.b = []byte(whole[:i])
		got = append(got, readAll(t, r)...)
	}
	g.b = []byte(whole)
	got = append(got, readAll(t, r)...)
	if want := readAll(t, NewReader(strings.NewReader(whole))); !slices.Equal(got, want) {
		t.Errorf("%.100q, want %.100q", got, want)
	}
}

func TestPositionKnowsItsFile(t *testing.T) {
	a, b, c := line("user", "a"), line("assistant", "b"), line("user", "c")
	file := filepath.Join(t.TempDir(), "s.jsonl")
	write := func(s string) {
		if err := os.WriteFile(file, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(at Position) (n int, next Position) {
		r, err := Open(file, at)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		return len(readAll(t, r)), r.Position()
	}
	write(a + b)
	_, at := read(Position{})
	for text, want := range map[string]int{
		a + b:                                 0,
		a + b + c:                             1,
		a + b + c[:10]:                        0, // torn
		a:                                     1, // lost its end
		"":                                    0,
		c + b + a + c:                         4, // another file
		a + strings.ToUpper(b[:5]) + b[5:]:    2,
		strings.Replace(a+b, "a", "x", 2):     2,
		a + b[:len(b)-1] + " " + "\n" + c:     3,
		strings.Repeat(a, 100) + b + c + "\n": 102,
	} {
		write(text)
		if n, _ := read(at); n != want {
			t.Errorf("%.40q: %d records, want %d", text, n, want)
		}
	}
}

func TestOpenTakesFilesOnly(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := Open(name, Position{}); err == nil {
			t.Errorf("%s is opened", name)
		}
	}
}

// FuzzReader makes sure that no bytes end it, that offsets grow, and that it does not
// matter in how many goes a file is read.
func FuzzReader(f *testing.F) {
	f.Add([]byte(line("user", "a")+line("assistant", "b")+line("user", "c")), 30)
	f.Add([]byte(line("user", "a")+"{\n\n\r\n"+`{"type":7}`+"\n[]\n\x00\xff\n"+line("user", "c")[:9]), 60)
	f.Add([]byte(line("user", "a")[:20]+"\n"), 5)
	for _, s := range samples.All(f) {
		f.Add(s, len(s)/2)
	}
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		whole := NewReader(bytes.NewReader(b))
		want := readAll(t, whole)
		if end := int64(bytes.LastIndexByte(b, '\n') + 1); whole.at != end {
			t.Fatalf("stands at %d, not %d", whole.at, end)
		}
		cut = min(max(cut, 0), len(b))
		first := NewReader(bytes.NewReader(b[:cut]))
		got := readAll(t, first)
		next := NewReader(bytes.NewReader(b))
		if at := first.Position(); at.Holds(bytes.NewReader(b)) {
			next.at = at.Offset
		} else if at.Offset > 0 {
			t.Fatal("the file has grown, and is not known again")
		}
		got = append(got, readAll(t, next)...)
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if sum := first.skipped.Plus(next.skipped); sum != whole.skipped {
			t.Errorf("skipped %+v, want %+v", sum, whole.skipped)
		}
	})
}

// Who wants little memory passes over long lines, and goes on behind them.
func TestLimit(t *testing.T) {
	line := func(n int) string {
		return `{"type":"user","uuid":"` + strings.Repeat("x", n) + `","message":{"content":"hi"}}` + "\n"
	}
	text := line(1) + line(200_000) + line(2) + line(100_000-60) + line(3)
	r := NewReader(strings.NewReader(text))
	r.Limit(100_000)
	var got []int
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, len(rec.UUID))
	}
	if fmt.Sprint(got) != "[1 2 99940 3]" || r.Skipped().Long != 1 || r.Position().Offset != int64(len(text)) || cap(r.buf) > 100_001 {
		t.Errorf("lines of %v, %+v, at %d, %d bytes held", got, r.Skipped(), r.Position().Offset, cap(r.buf))
	}
}
