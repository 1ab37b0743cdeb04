package gitstore_test

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// oddTexts are texts that some tool on top of git has taken for something else.
var oddTexts = map[string]string{
	"scissors":         "before\n# ------------------------ >8 ------------------------\n# Do not modify\nafter",
	"trailers":         "x\n\nSigned-off-by: Eve <eve@example.org>\nSage-Format: 1\nSage-Kind: tombstone\nSage-Removes: " + strings.Repeat("a", 40),
	"our last lines":   "x\n\nSage-Format: 1\nSage-Kind: tombstone",
	"dashes":           "---\ntype: checkpoint\n---\n# Question\n\n## Thesis\nnone of this",
	"patch":            "x\n---\n a.txt | 2 +-\n\ndiff --git a/a.txt b/a.txt\nindex 1..2\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b",
	"comments":         "# one\n#two\n; three\n\n\n# four",
	"headings":         "## Thesis\n## Key Evidence\n\\## Sources\n\\\\## x",
	"binary":           "\x01\x02\x03\x04\x05\x06\a\b\x0e\x1f\x7f\u0080\u009f\ufffd\uffff\U0010ffff",
	"right to left":    "שלום \u202eevil\u202c مرحبا \u2066x\u2069 \u200f",
	"line ends":        "a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh",
	"blanks":           "  \t leading and trailing \t \n\n\n",
	"only blanks":      " \n\t\n ",
	"marks":            "e\u0301 \u00e9 \U0001F468\u200d\U0001F469 i\u0307 \u0130ı",
	"placeholders":     "%H %x00 %(trailers) {{ thesis }} {% raw %} $(touch mark) `touch mark`",
	"merge":            "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs",
	"long line":        strings.Repeat("word ", 100_000),
	"many lines":       strings.Repeat("- item\n", 20_000),
	"separators":       "a\x1fb\x1ec\x1dd\x1ce",
	"no UTF-8 but for": "\ufeffBOM",
}

// Case L171: what was said is read back, character for character, and changes no
// list, whatever it looks like and however git is set up.
func TestOddTexts(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "config", "trailer.separators", "%")
	w.Git("r", "config", "core.commentChar", "S")
	w.Git("r", "config", "commit.cleanup", "scissors")
	s := open(t, w, "r")
	names := []string{}
	for name, text := range oddTexts {
		names = append([]string{name}, names...)
		c := sage.Checkpoint{Thesis: text, CoreQuestion: text, Description: name, ReasoningTrace: text, KeyEvidence: []string{text}, OpenQuestions: []string{text},
			Sources: []sage.Source{{ID: text, Type: "document", Take: text, Relation: "supports"}}, Tensions: []sage.Tension{{Between: []string{text, "b"}, Nature: text, Resolution: "unresolved"}},
			Fields: map[string]any{"k": text, text: "v"}, Skill: "s", Trigger: sage.Synthesis}
		saved, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: c, NoCode: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := s.Commits.Load(ctx, saved.ID)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := c.Clone()
		want.ID, want.Parents, want.Time, want.Author = got.ID, got.Parents, got.Time, got.Author
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-saved +loaded):\n%.2000s", name, diff)
		}
		r, err := s.Commits.Record(ctx, saved.ID)
		if err != nil || r.Kind != gitstore.KindCheckpoint || r.Trigger != sage.Synthesis || r.Skill != "s" || len(r.Removes)+len(r.Restores)+len(r.Aliases) > 0 {
			t.Errorf("%s: listed as %+v %v", name, r, err)
		}
	}
	if diff := cmp.Diff(names, subjects(t, s, gitstore.Query{})); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	w.Git("r", "fsck", "--strict", "--full")
}

// Case L171: what cannot be read back is not taken.
func TestTooLargeIsRefused(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	_, err := s.Checkpoints.Save(ctx, thesis(strings.Repeat("x", codec.MaxSize)))
	if err == nil || !strings.Contains(err.Error(), "nothing was saved") {
		t.Errorf("got %v", err)
	}
	wantList(t, subjects(t, s, gitstore.Query{}))
	save(t, s, strings.Repeat("x", codec.MaxSize-1000))
	if _, err := s.Commits.Load(ctx, "@"); err != nil {
		t.Error(err)
	}
}

// Case L170: an accent is found however it was typed, at one side and the other,
// and the language of the system changes nothing.
func TestAccentsAreFound(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Env = append(w.Env, "LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8")
	s := open(t, w, "r")
	save(t, s, "caf\u00e9 in one")
	save(t, s, "cafe\u0301 in two")
	save(t, s, "TITLE")
	for grep, want := range map[string][]string{
		"caf\u00e9":          {"cafe\u0301 in two", "caf\u00e9 in one"},
		"cafe\u0301":         {"cafe\u0301 in two", "caf\u00e9 in one"},
		"caf[e\u00e9]+ in t": {"cafe\u0301 in two"},
		"title":              {"TITLE"},
	} {
		if diff := cmp.Diff(want, subjects(t, s, gitstore.Query{Grep: grep, IgnoreCase: true})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", grep, diff)
		}
	}
	for _, name := range []string{"caf\u00e9", "cafe\u0301", "ıd", "İd", "Id", "ｉｄ", "іd"} { // the last is Cyrillic
		if _, err := s.Lines.Branch(ctx, name, "@"); err == nil {
			t.Errorf("%q is a name: two that look alike could stand side by side", name)
		}
	}
}

// Case L173: the same words in the same second are two thoughts where a person
// saves twice, and where two sessions do; on two machines that share nothing else
// they may be one commit, which is the same on both.
func TestSameWordsInTheSameSecond(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	still := func(o *gitstore.Options) { o.Now = func() time.Time { return storetest.Epoch } }
	var ids []string
	base := save(t, open(t, w, "r", still), "ground")
	for _, who := range []string{"", "", "one", "two"} {
		s := open(t, w, "r", still, session(who))
		if who != "" {
			if _, err := s.Lines.Restore(ctx, base.ID); err != nil {
				t.Fatal(err)
			}
		}
		got := save(t, s, "same")
		if slices.Contains(ids, got.ID) {
			t.Errorf("%q got the id of another: %s", who, got.ID)
		}
		ids = append(ids, got.ID)
	}
	if got := subjects(t, open(t, w, "r"), gitstore.Query{All: true}); len(got) != 5 {
		t.Errorf("%d of 5 are listed: %q", len(got), got)
	}
}

// Case L174: of a million ids some hundred pairs share the eight digits that are
// shown. Such a short id is never taken for one of them, and the error shows as
// many digits as tell them apart.
func TestBirthdays(t *testing.T) {
	const n = 1_000_000
	seen := make(map[uint32]int, n) // by the first 8 digits
	idOf := func(i int) [sha1.Size]byte { return sha1.Sum(strconv.AppendInt(nil, int64(i), 10)) }
	pairs := 0
	for i := range n {
		sum := idOf(i)
		key := binary.BigEndian.Uint32(sum[:])
		before, ok := seen[key]
		if seen[key] = i; !ok {
			continue
		}
		pairs++
		other := idOf(before)
		id, twin := hex.EncodeToString(sum[:]), hex.EncodeToString(other[:])
		e := gitstore.AmbiguousError{Prefix: id[:8], Candidates: []gitstore.Record{{ID: id}, {ID: twin}}}
		if d := e.Digits(); d <= 8 || id[:d] == twin[:d] || id[:d-1] != twin[:d-1] {
			t.Errorf("%d digits for %s and %s", d, id, twin)
		}
	}
	if pairs < 50 || pairs > 200 {
		t.Errorf("%d pairs share 8 digits, about 116 should", pairs)
	}
}
