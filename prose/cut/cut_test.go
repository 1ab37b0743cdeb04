package cut_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose/cut"
)

func TestRunes(t *testing.T) {
	for _, tt := range []struct {
		name, s string
		n       int
		want    string
	}{
		{"what fits stays as it is", "two words.", 10, "two words."},
		{"a text ends behind a word", "the pool has ten connections", 16, "the pool has…"},
		{"a word that just fits stays", "the pool has ten connections", 17, "the pool has ten…"},
		{"a comma goes with what it announces", "the pool, the queue and the cache", 12, "the pool…"},
		{"a line is an end of a word", "first line\nsecond line", 14, "first line…"},
		{"a long word is cut through", "see https://example.org/a/very/long/address", 20, "see https://example…"},
		{"a code span stays whole or goes", "now run `git sage list` to see", 20, "now run…"},
		{"a code span that ended stays", "run `ls -l` and look at all of it", 16, "run `ls -l` and…"},
		{"a long code span is cut through", "run `git sage list --all --json`", 16, "run `git sage…"},
		{"a backtick alone is no code", "the ` key is on the left side", 20, "the ` key is on the…"},
		{"more backticks hold fewer", "the mark ``a ` b`` is code", 17, "the mark…"},
		{"Chinese has no blanks", "缓存必须在写入之后失效,否则会读到旧值", 10, "缓存必须在写入之后…"},
		{"an accent stays with its letter", strings.Repeat("e\u0301", 8), 6, "e\u0301e\u0301…"},
		{"a family stays together", "ab👩\u200d👩\u200d👧x", 6, "ab…"},
		{"characters count, not bytes", "ääää ööö", 8, "ääää ööö"},
		{"room for the ellipsis alone", "word", 1, "…"},
		{"no room", "word", 0, "…"},
		{"nothing is said", "", 0, ""},
	} {
		if got := cut.Runes(tt.s, tt.n); got != tt.want {
			t.Errorf("%s: Runes(%q, %d) = %q, want %q", tt.name, tt.s, tt.n, got, tt.want)
		}
	}
}

func TestUnitsCountAsJavaScript(t *testing.T) {
	s := strings.Repeat("😀", 5)
	if got := cut.Units(s, 10); got != s {
		t.Errorf("Units of what fits = %q", got)
	}
	if got, want := cut.Units(s, 8), "😀😀😀…"; got != want {
		t.Errorf("Units = %q, want %q", got, want)
	}
}

func TestBytesAreWholeCharacters(t *testing.T) {
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{{"plain", 5, "plain"}, {"plain", 3, "pla"}, {"aöb", 2, "a"}, {"aöb", 3, "aö"}, {"ö", 1, ""}, {"ö", -1, ""}} {
		if got := cut.Bytes(tt.s, tt.n); got != tt.want {
			t.Errorf("Bytes(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
}

// FuzzRunes holds every cut to its limit, to the text and to whole characters.
func FuzzRunes(f *testing.F) {
	for _, s := range []string{"", "a `b c` d", "``` x", "e\u0301e\u0301", "缓存 必须", "a\nb, c.", "\xff\xfe x y"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = max(1, n%64)
		for got, size := range map[string]int{
			cut.Runes(s, n): utf8.RuneCountInString(cut.Runes(s, n)),
			cut.Units(s, n): len(utf16.Encode([]rune(cut.Units(s, n)))),
		} {
			head, isCut := strings.CutSuffix(got, "…")
			switch {
			case size > n:
				t.Fatalf("%q has %d, at most %d fit", got, size, n)
			case got == s:
			case !isCut || !strings.HasPrefix(s, head):
				t.Fatalf("%q is no beginning of %q", got, s)
			case utf8.ValidString(s) && !utf8.ValidString(got):
				t.Fatalf("%q cuts through a character of %q", got, s)
			}
		}
		if got := cut.Bytes(s, n); len(got) > n || !strings.HasPrefix(s, got) || utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("Bytes(%q, %d) = %q", s, n, got)
		}
	})
}
