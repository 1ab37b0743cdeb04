package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

var (
	someSkills   = []string{"", "web", "privacy"}
	someTriggers = []sage.Trigger{sage.Synthesis, sage.BranchPoint, sage.Manual}
	someFiles    = []string{"auth/token.go", "auth/key.go", "web/page.go", "authority.md"}
)

// library is a memory with checkpoints on three lines and items here and of the
// person's own, all of which have to do with sessions.
func library(t *testing.T) (m *recall.Memory, onLine map[string]map[string]bool) {
	m = newMemory(t, "")
	onLine = map[string]map[string]bool{}
	for i := range 24 {
		if i == 10 || i == 16 {
			if _, err := m.Store.Lines.Switch(t.Context(), fmt.Sprint("line-", i), true, "main"); err != nil {
				t.Fatal(err)
			}
		}
		n := note(fmt.Sprintf("The session of case %d is kept.", i))
		c := &n.Draft.Checkpoint
		sure := float64(i%11) / 10
		c.Skill, c.Trigger, c.Confidence = someSkills[i%3], someTriggers[i/3%3], &sure
		if i%5 == 0 {
			c.Confidence = nil
		}
		c.FilesExplored = someFiles[i%4 : i%4+1]
		saveNote(t, m, n)
	}
	for i := range 12 {
		it := item(fmt.Sprint("item-", i), []sage.ItemType{sage.Knowledge, sage.Preference}[i%2], fmt.Sprintf("A session lapses for reason %d.", i))
		if s := someSkills[i%3]; s != "" {
			it.Item.Scope.Skills = []string{s}
		}
		it.Item.CodeRefs = []sage.CodeRef{{File: someFiles[i%4]}}
		write(t, m, it)
	}
	for _, line := range []string{"main", "line-10", "line-16"} {
		recs, err := m.Store.Commits.Log(t.Context(), gitstore.Query{Line: line, All: true})
		if err != nil {
			t.Fatal(err)
		}
		onLine[line] = map[string]bool{}
		for _, r := range recs {
			onLine[line][r.ID] = true
		}
	}
	return m, onLine
}

// shown are the ids of what a search finds.
func shown(found *search.Findings, want func(*sage.Checkpoint) bool, wantItem func(*sage.Item) bool) (out []string) {
	for _, f := range found.Checkpoints {
		if want(f.Checkpoint) {
			out = append(out, f.ID)
		}
	}
	for _, r := range found.Items {
		if wantItem(r.Item) {
			out = append(out, r.Item.ID)
		}
	}
	slices.Sort(out)
	return out
}

// A filter shows nothing that it excludes, and loses nothing that it allows of what is
// found without it.
func TestFiltersLoseNothingAndLetNothingPass(t *testing.T) {
	m, onLine := library(t)
	withBag(m)
	all := func(*sage.Checkpoint) bool { return true }
	allItems := func(*sage.Item) bool { return true }
	find := func(o search.SearchOptions) *search.Findings {
		found, err := m.Search.Find(t.Context(), "sessions", o)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	everything := find(search.SearchOptions{Limit: 1000})
	if n := len(shown(everything, all, allItems)); n < 30 {
		t.Fatalf("only %d of 36 are found without a filter", n)
	}
	rapid.Check(t, func(r *rapid.T) {
		o := search.SearchOptions{
			Limit: 1000, Skill: rapid.SampledFrom(someSkills).Draw(r, "skill"),
			Trigger:    rapid.SampledFrom(append(someTriggers, "")).Draw(r, "trigger"),
			Confidence: float64(rapid.IntRange(0, 10).Draw(r, "confidence")) / 10,
			Line:       rapid.SampledFrom([]string{"", "main", "line-10", "line-16"}).Draw(r, "line"),
			File:       rapid.SampledFrom([]string{"", "auth", "auth/", "./auth/token.go", "authority.md", "nowhere", "."}).Draw(r, "file"),
			Author:     rapid.SampledFrom([]string{"", "Ada", "nobody"}).Draw(r, "author"),
		}
		of := func(files ...string) bool {
			want := strings.TrimSuffix(strings.TrimPrefix(o.File, "./"), "/")
			return want == "" || slices.ContainsFunc(files, func(f string) bool { return want == "." || f == want || strings.HasPrefix(f, want+"/") })
		}
		want := shown(everything, func(c *sage.Checkpoint) bool {
			return o.Author != "nobody" && (o.Skill == "" || c.Skill == o.Skill) && (o.Trigger == "" || c.Trigger == o.Trigger) &&
				(o.Confidence == 0 || c.Confidence != nil && *c.Confidence >= o.Confidence) &&
				(o.Line == "" || onLine[o.Line][c.ID]) && of(c.FilesExplored...)
		}, func(it *sage.Item) bool {
			return o.Author != "nobody" && o.Trigger == "" && o.Confidence == 0 && o.Line == "" &&
				(o.Skill == "" || slices.Contains(it.Scope.Skills, o.Skill)) && of(it.CodeRefs[0].File)
		})
		if got := shown(find(o), all, allItems); !slices.Equal(got, want) {
			r.Fatalf("%+v\nfinds %q\nnot   %q", o, got, want)
		}
	})
}

// What few of many have is found although the best of all the others stand before it.
func TestFilterFindsFewOfMany(t *testing.T) {
	m := newMemory(t, "")
	rare := note("Something about sessions.")
	rare.Draft.Checkpoint.Skill = "rare"
	id := saveNote(t, m, rare).ID
	for i := range rank.Candidates + 20 {
		saveNote(t, m, note(fmt.Sprintf("session session session kept %d", i)))
	}
	found, err := m.Search.Find(t.Context(), "sessions", search.SearchOptions{Skill: "rare"})
	if err != nil || len(found.Checkpoints) != 1 || found.Checkpoints[0].ID != id {
		t.Errorf("%+v, %v", found, err)
	}
}

// The current line comes first, but a hit of another that is among the best is shown.
func TestHitsOfTheCurrentLineComeFirst(t *testing.T) {
	m := newMemory(t, "")
	saveNote(t, m, note("Sessions are kept somewhere, perhaps in cookies of the browser, or not."))
	if _, err := m.Store.Lines.Switch(t.Context(), "other", true, "main"); err != nil {
		t.Fatal(err)
	}
	best := saveNote(t, m, note("Sessions kept."))
	if _, err := m.Store.Lines.Switch(t.Context(), "main", false, ""); err != nil {
		t.Fatal(err)
	}
	found, err := m.Search.Find(t.Context(), "sessions kept", search.SearchOptions{})
	if err != nil || len(found.Checkpoints) != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	here, there := found.Checkpoints[0], found.Checkpoints[1]
	if !here.Here || here.Line != "main" || there.Here || there.Line != "other" || there.ID != best.ID {
		t.Errorf("%s %v, %s %v", here.Line, here.Here, there.Line, there.Here)
	}
	found, err = m.Search.Find(t.Context(), "sessions kept", search.SearchOptions{Limit: 1})
	if err != nil || len(found.Checkpoints) != 1 || found.Checkpoints[0].ID != best.ID {
		t.Errorf("the best alone: %+v, %v", found, err)
	}
}

func TestSearchTakesAnyQuery(t *testing.T) {
	m, _ := library(t)
	for _, query := range []string{
		"", " ", "\x00\x1b[31m\x7f", "\xff\xfe session", strings.Repeat("session ", 1<<17), strings.Repeat("x", 1<<20),
		`.*[(\^$`, "日本語のセッション", "🦉", "--line", "session\nsession\r\n", strings.Repeat("é", 1<<12) + "é",
	} {
		if _, err := m.Search.Find(t.Context(), query, search.SearchOptions{}); err != nil {
			t.Errorf("%.20q: %v", query, err)
		}
	}
}

func TestOwnItemsAreFoundUnlessTheRepositoryHasTheId(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, item("mine", sage.Preference, "Sessions are kept in tabs."), item("both", sage.Preference, "Sessions are kept in a jar."))
	find := func() (out []string) {
		found, err := m.Search.Find(t.Context(), "sessions are kept", search.SearchOptions{Knowledge: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found.Items {
			out = append(out, fmt.Sprint(r.Item.ID, " ", r.Own))
		}
		slices.Sort(out)
		return out
	}
	if got, want := find(), []string{"both true", "mine true"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
	shared := item("both", sage.Knowledge, "The moon is far away.")
	write(t, m, shared)
	if got, want := find(), []string{"mine true"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
	m.Stores.Options.Settings = func() recall.Settings {
		return recall.Settings{Thresholds: map[string]float64{"preference": 0, "knowledge": 0.9}}
	}
	if got, want := recalled(t, m, "sessions are kept in a jar", prompts.RecallOptions{}), []string{"mine"}; !slices.Equal(got, want) {
		t.Errorf("recalled: %q instead of %q", got, want)
	}
}
