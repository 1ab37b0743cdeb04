package recall_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

func TestPendingTodos(t *testing.T) {
	m := newMemory(t, "")
	own, err := m.Stores.OpenOwn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"taxes", "hidden"} {
		if _, err := own.Knowledge.WriteItems(t.Context(), "", item(id, sage.Todo, "mine").ItemChange); err != nil {
			t.Fatal(err)
		}
	}
	done := item("done", sage.Todo, "over")
	done.Item.Status = sage.Done
	write(t, m, item("keys", sage.Todo, "rotate"), done, item("fact", sage.Knowledge, "says todo and pending"), item("hidden", sage.Knowledge, "here"))
	todos, err := m.Knowledge.PendingTodos(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, k := range todos {
		ids = append(ids, k.Item.ID)
	}
	if want := []string{"keys", "taxes"}; !slices.Equal(ids, want) || todos[0].Own || !todos[1].Own {
		t.Errorf("pending: %q, want %q", ids, want)
	}
}

func TestItemLogAndLinksAcrossStores(t *testing.T) {
	m := newMemory(t, "")
	pref := item("style", sage.Preference, "terse")
	house := item("house", sage.Knowledge, "ours")
	house.Item.Links = []sage.Link{{Kind: sage.Extends, To: "style"}}
	write(t, m, pref, house)
	for id, want := range map[string]gitstore.ItemLink{
		"style": {Kind: gitstore.ExtendedBy, ID: "house", From: true},
		"house": {Kind: sage.Extends, ID: "style"},
	} {
		links, err := m.Knowledge.ItemLinks(t.Context(), id)
		if err != nil || len(links) != 1 || links[0].Kind != want.Kind || links[0].ID != want.ID || links[0].From != want.From || links[0].Missing {
			t.Errorf("links of %s: %+v, %v", id, links, err)
		}
	}
	write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "style", Remove: true}})
	log, err := m.Knowledge.ItemLog(t.Context(), "style", 0)
	if err != nil || len(log) != 2 || log[0].Description != "remove preference style" {
		t.Errorf("log of what is gone: %+v, %v", log, err)
	}
	if _, err := m.Knowledge.ItemLog(t.Context(), "nosuch", 0); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("log of nothing: %v", err)
	}
}

// What a repository brings as a skill is not followed out of its folder.
func TestSkillFilesStayInTheirFolder(t *testing.T) {
	m := newMemory(t, "")
	folder := filepath.Join(t.TempDir(), "skills")
	docs := filepath.Join(folder, "law", "docs")
	must(t, os.MkdirAll(docs, 0o777))
	secret := filepath.Join(t.TempDir(), "secret.md")
	for file, text := range map[string]string{secret: "secret", filepath.Join(folder, "law", "SKILL.md"): "cite\xff", filepath.Join(docs, "a.md"): strings.Repeat("x", 256<<10+1)} {
		must(t, os.WriteFile(file, []byte(text), 0o666))
	}
	if err := os.Symlink(secret, filepath.Join(docs, "b.md")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	s, err := m.Skills.Get(t.Context(), "law", folder)
	if err != nil || len(s.Files) != 2 || s.Files[0].Text != "cite\ufffd" || len(s.Files[1].Text) != 256<<10 {
		t.Fatalf("%d files, %v", len(s.Files), err)
	}
	text, err := m.Skills.Context(t.Context(), s)
	if err != nil || strings.Contains(text, "secret") || !strings.Contains(text, "cite") {
		t.Errorf("%.200q, %v", text, err)
	}
	if _, err := m.Skills.Get(t.Context(), "nosuch", folder); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("a skill that nobody knows: %v", err)
	}
}
