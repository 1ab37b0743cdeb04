package notes

import (
	"slices"
	"strings"
	"testing"
)

var (
	a = strings.Repeat("a", 40)
	b = strings.Repeat("b", 40)
)

// FuzzNote: what is read of a note is written so that it is read the same, and to unite two
// notes is the same in any order, and the same once more.
func FuzzNote(f *testing.F) {
	f.Add("Sage-Checkpoint: "+a+" ARC beats LRU\nSage-Patch: "+b+"\n", "somebody wrote this\n")
	f.Add("Sage-Checkpoint: "+a+" one\n\nSage-Checkpoint: "+a+" two\n", "x\n\ny\nSage-Checkpoint: "+b)
	f.Add("Sage-Checkpoint: "+a[1:]+"\r\nSage-Patch:\n", "\n\n")
	f.Fuzz(func(t *testing.T, x, y string) {
		m, n := parse([]byte(x), 40), parse([]byte(y), 40)
		text := string(m.encode())
		if again := string(parse([]byte(text), 40).encode()); len(text) <= mostBytes && again != text {
			t.Fatalf("%q is read as %q", text, again)
		}
		both, back := string(m.with(n).encode()), string(n.with(m).encode())
		if both != back {
			t.Fatalf("%q and %q", both, back)
		}
		if twice := string(m.with(m).encode()); twice != text {
			t.Fatalf("%q twice is %q", text, twice)
		}
	})
}

// TestCopied: git copies a note by adding it to another behind a blank line.
func TestCopied(t *testing.T) {
	one := "Sage-Checkpoint: " + a + " ARC\nSage-Patch: " + b + "\n"
	if got := string(parse([]byte(one+"\n"+one), 40).encode()); got != one {
		t.Errorf("%q", got)
	}
}

func TestWithout(t *testing.T) {
	line, patch, own := "Sage-Checkpoint: "+a+" ARC\n", "Sage-Patch: "+a+"\n", "my own\n"
	for text, want := range map[string]string{
		line + patch: "", line + own: own, own: own, patch: patch,
		line + "Sage-Checkpoint: " + b + "\n" + patch: "Sage-Checkpoint: " + b + "\n" + patch,
	} {
		if got := Without(text, func(id string) bool { return id == a }); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestIsOfNotes(t *testing.T) {
	id := strings.Repeat("\x0a", 20)
	for _, x := range []struct {
		typ, data string
		is        bool
	}{
		{"commit", "tree x\n\nNotes added by 'git notes add'\n", true},
		{"commit", "tree x\n\nA private change\n", false},
		{"tree", "40000 0a\x00" + id, true},
		{"tree", "100644 " + a[2:] + "\x00" + id, true},
		{"tree", "100644 .env\x00" + id, false},
		{"tree", "160000 " + a[2:] + "\x00" + id, false},
		{"tree", "100644 " + a[2:] + "\x00" + id + "rest", false},
		{"blob", "Sage-Checkpoint: " + a + "\n", true},
		{"blob", "my own\nSage-Patch: " + a + "\n", true},
		{"blob", "a private key\n", false},
		{"blob", "Sage-Patch: " + a + "\n" + strings.Repeat("x", mostBytes), false},
		{"tag", "", false},
	} {
		if got := isOfNotes(x.typ, []byte(x.data), 20); got != x.is {
			t.Errorf("%s %.40q: %v", x.typ, x.data, got)
		}
	}
}

func TestPaths(t *testing.T) {
	want := []string{"abcdef0123", "ab/cdef0123", "ab/cd/ef0123", "ab/cd/ef/0123"}
	if got := paths("abcdef0123"); !slices.Equal(got, want) {
		t.Error(got)
	}
}
