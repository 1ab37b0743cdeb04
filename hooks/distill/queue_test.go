package distill

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/git-sage/git-sage/converse"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newQueue(t *testing.T) (Queue, *time.Time) {
	now := began
	return QueueOf(t.TempDir(), func() time.Time { return now }), &now
}

func waiting(list []Entry) (out string) {
	for _, e := range list {
		out += fmt.Sprintf("%s@%d ", e.Session, e.Until)
	}
	return out
}

func TestQueue(t *testing.T) {
	q, now := newQueue(t)
	add := func(session string, until int64) {
		t.Helper()
		must(t, q.Add(Entry{Session: session, Transcript: "/x/" + session + ".jsonl", Until: until}))
		*now = now.Add(time.Second)
	}
	add("b", 1)
	add("a", 1)
	add("b", 2) // keeps its place
	if got := waiting(q.Due("i")); got != "b@2 a@1 " {
		t.Errorf("waiting %s", got)
	}
	first := q.All()[0]
	add("b", 3) // while it is distilled
	if err := q.Done(first); err != nil || waiting(q.All()) != "b@3 a@1 " {
		t.Errorf("%v, waiting %s", err, waiting(q.All()))
	}
	if err := errors.Join(q.Done(q.All()[0]), q.Done(first)); err != nil || waiting(q.All()) != "a@1 " {
		t.Errorf("%v, waiting %s", err, waiting(q.All()))
	}
	*now = now.Add(8 * 24 * time.Hour)
	if got := waiting(q.All()); got != "" {
		t.Errorf("waiting %s", got)
	}
	add("c", 1)
	if err := q.Clear(); err != nil || len(q.All()) > 0 {
		t.Errorf("%v, waiting %s", err, waiting(q.All()))
	}
}

// TestSweep: what is no entry goes, by who works on the queue and not by who reads it.
func TestSweep(t *testing.T) {
	q, now := newQueue(t)
	must(t, q.Add(Entry{Session: "a", Transcript: "/x/a.jsonl", Until: 1}))
	for name, text := range map[string]string{
		"0000000000000001.json": "{", "0000000000000002.json": `{"session":"a","transcript":"/x"}`, "package.json": "{}", "0000000000000003.json.tmp1": "half",
		filepath.Base(q.file("empty")): `{"session":"empty","transcript":"/x/empty.jsonl","until":0,"queued":"` + now.Format(time.RFC3339) + `"}`,
	} {
		must(t, os.WriteFile(filepath.Join(q.folder(), name), []byte(text), 0o600))
	}
	must(t, os.Symlink("package.json", filepath.Join(q.folder(), "0000000000000004.json")))
	names := func() (out []string) {
		list, err := os.ReadDir(q.folder())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			out = append(out, f.Name())
		}
		return out
	}
	before := names()
	if got := waiting(q.All()); got != "a@1 " || !slices.Equal(before, names()) {
		t.Errorf("waiting %s, %q are left of %q", got, names(), before)
	}
	want := []string{"0000000000000003.json.tmp1", filepath.Base(q.file("a")), "package.json"}
	if err := q.Sweep(); err != nil || !slices.Equal(names(), want) {
		t.Errorf("%v, %q are left, want %q", err, names(), want)
	}
	*now = now.Add(8 * 24 * time.Hour)
	if err := q.Sweep(); err != nil || slices.Contains(names(), want[1]) {
		t.Errorf("%v, what waited too long stays: %q", err, names())
	}
}

// TestLinkIsNoQueue: nothing is written, read or removed behind a link, wherever it stands.
func TestLinkIsNoQueue(t *testing.T) {
	for _, at := range []string{"distill", "distill/queue"} {
		base, theirs := t.TempDir(), t.TempDir()
		q := QueueOf(base, func() time.Time { return began })
		entry := Entry{Session: "a", Transcript: "/x/a.jsonl", Until: 1}
		for _, name := range []string{"trouble.json", filepath.Base(q.file("a")), "0000000000000001.json"} {
			if err := errors.Join(os.WriteFile(filepath.Join(theirs, name), []byte("{}"), 0o600), os.MkdirAll(filepath.Join(theirs, "queue"), 0o700),
				os.WriteFile(filepath.Join(theirs, "queue", name), []byte("{}"), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		must(t, errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(base, at)), 0o700), os.Symlink(theirs, filepath.Join(base, at))))
		if err := q.Add(entry); !errors.Is(err, plainfile.ErrOther) {
			t.Errorf("%s: added: %v", at, err)
		}
		if got := waiting(q.All()); got != "" {
			t.Errorf("%s: waiting %s", at, got)
		}
		if at == "distill" {
			if err := q.NoteTrouble(ErrEmpty); !errors.Is(err, plainfile.ErrOther) {
				t.Errorf("noted: %v", err)
			}
			if err := q.NoteTrouble(nil); err != nil {
				t.Error(err)
			}
		}
		for _, err := range []error{q.Sweep(), q.Done(entry)} {
			if err != nil {
				t.Errorf("%s: %v", at, err)
			}
		}
		_ = q.Clear()
		for _, name := range []string{"trouble.json", filepath.Base(q.file("a")), "0000000000000001.json"} {
			for _, file := range []string{filepath.Join(theirs, name), filepath.Join(theirs, "queue", name)} {
				if b, err := os.ReadFile(file); err != nil || string(b) != "{}" {
					t.Errorf("%s: '%s' is touched: %q, %v", at, file, b, err)
				}
			}
		}
	}
}

// A busy model is asked again, ever later; one that refused when something changed; and
// one that answers badly three times.
func TestQueueTriesAgain(t *testing.T) {
	q, now := newQueue(t)
	must(t, q.Add(Entry{Session: "a", Transcript: "/x/a.jsonl", Until: 1}))
	fail := func(err error) (gone bool) {
		t.Helper()
		gone, ferr := q.Failed(q.All()[0], "i", err)
		if ferr != nil {
			t.Fatal(ferr)
		}
		return gone
	}
	for _, wait := range []time.Duration{10 * time.Minute, 20 * time.Minute, 40 * time.Minute} {
		fail(&converse.BusyError{Why: "busy"})
		*now = now.Add(wait - time.Second)
		if len(q.Due("i")) > 0 {
			t.Errorf("due before %s", wait)
		}
		if *now = now.Add(time.Second); len(q.Due("i")) != 1 {
			t.Errorf("not due after %s", wait)
		}
	}
	fail(&converse.BusyError{After: 5 * time.Hour, Why: "hit your limit"})
	if *now = now.Add(5*time.Hour - time.Second); len(q.Due("i")) > 0 {
		t.Error("due before its time")
	}
	*now = now.Add(time.Second)
	fail(&converse.RefusedError{Why: "Not logged in"})
	if *now = now.Add(24 * time.Hour); len(q.Due("i")) > 0 || len(q.Due("j")) != 1 {
		t.Error("who refused is asked again, or others are not")
	}
	must(t, errors.Join(q.Clear(), q.Add(Entry{Session: "a", Transcript: "/x/a.jsonl", Until: 1})))
	for try := 1; try <= 3; try++ {
		if gaveUp := fail(errForm); gaveUp != (try == 3) {
			t.Errorf("try %d: given up: %v", try, gaveUp)
		}
	}
	if len(q.All()) > 0 {
		t.Error("what was given up is still in the queue")
	}
	if err := q.Add(Entry{Session: "a", Transcript: "/x/a.jsonl", Until: 1}); err != nil || !fail(ErrEmpty) {
		t.Error("a model that lies is asked again", err)
	}
}

func TestTrouble(t *testing.T) {
	q, _ := newQueue(t)
	if err := q.NoteTrouble(nil); err != nil || q.Trouble() != nil {
		t.Error(err)
	}
	must(t, q.NoteTrouble(&converse.RefusedError{Why: "Not logged in", Cure: "run 'claude'"}))
	if got := q.Trouble(); got == nil || *got != (Trouble{began, "Not logged in", "run 'claude'"}) {
		t.Errorf("%+v", got)
	}
	if err := q.NoteTrouble(nil); err != nil || q.Trouble() != nil {
		t.Error(err)
	}
}

func TestBudget(t *testing.T) {
	now := began
	b := Budget{Home: t.TempDir(), Tokens: 100, Now: func() time.Time { return now }}
	settle, err := b.Reserve(60)
	if err != nil || b.Left() != 40 { // counted before it is sent
		t.Errorf("%v, %d left", err, b.Left())
	}
	_, err = b.Reserve(41)
	if busy, ok := errors.AsType[*converse.BusyError](err); !ok || busy.After != 12*time.Hour+time.Second {
		t.Errorf("%v", err)
	}
	if settle(20); b.Spent() != 20 || b.Left() != 80 {
		t.Errorf("%d spent", b.Spent())
	}
	now = now.Add(24 * time.Hour)
	if _, err := b.Reserve(100); err != nil || b.Left() != 0 {
		t.Errorf("%v, %d left", err, b.Left())
	}
	if list, _ := filepath.Glob(filepath.Join(b.Home, "distill", "spent-*")); len(list) != 1 {
		t.Errorf("%v", list)
	}
}

// TestBudgetIsNoOtherFile: what is not counted is not spent.
func TestBudgetIsNoOtherFile(t *testing.T) {
	theirs := t.TempDir()
	spent := filepath.Join(theirs, "spent-2020-01-01")
	must(t, os.WriteFile(spent, []byte("7\n"), 0o600))
	for what, plant := range map[string]func(b Budget) error{
		"folder": func(b Budget) error { return os.Symlink(theirs, filepath.Dir(b.file())) },
		"file": func(b Budget) error {
			return errors.Join(os.Mkdir(filepath.Dir(b.file()), 0o700), os.Symlink(spent, b.file()))
		},
	} {
		b := Budget{Home: t.TempDir(), Tokens: 100, Now: func() time.Time { return began }}
		must(t, plant(b))
		if _, err := b.Reserve(1); !errors.Is(err, plainfile.ErrOther) || b.Spent() != 0 {
			t.Errorf("%s: %v, %d spent", what, err, b.Spent())
		}
		if text, err := os.ReadFile(spent); err != nil || string(text) != "7\n" {
			t.Errorf("%s: their file holds %q, %v", what, text, err)
		}
	}
}
