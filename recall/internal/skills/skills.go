// Package skills gathers what belongs to a skill.
package skills

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/templates"
	"github.com/git-sage/git-sage/recall/provenance"
)

// A Catalogue has the skills that anybody knows of.
type Catalogue struct {
	stores     *stores.Stores
	knowledge  *knowledge.Collection
	provenance *provenance.Labeller
	templates  *templates.Renderer
}

// New returns a Catalogue over the rooms that it uses.
func New(
	stores *stores.Stores,
	knowledge *knowledge.Collection,
	provenance *provenance.Labeller,
	templates *templates.Renderer,
) *Catalogue {
	return &Catalogue{
		stores:     stores,
		knowledge:  knowledge,
		provenance: provenance,
		templates:  templates,
	}
}

// skillNamespace is where skills lie in the knowledge tree.
const skillNamespace = "skills"

// A Skill is a scope with all that belongs to it.
type Skill struct {
	Name        string
	Known       *knowledge.Known  // what the knowledge tree says of it; nil is nothing
	Docs        []knowledge.Known // its texts in the knowledge tree
	Files       []SkillFile       // SKILL.md and docs of the client's, as far as they are there
	Items       []knowledge.Known // of knowledge, that hold
	Checkpoints []gitstore.Record // newest first
}

// A SkillFile is a text that a client keeps for a skill.
type SkillFile struct{ Path, Text string }

// About is one line that says what a skill is for, "" if nobody says.
func (s Skill) About() string {
	if s.Known == nil {
		return ""
	}
	return s.Known.Item.Title()
}

// The bounds of what is read of a client's skill: an agent is given all of it.
const (
	maxSkillFiles = 50
	maxSkillFile  = 256 << 10
)

// Get gathers what belongs to a skill. folders are those in which a client keeps
// skills, such as .claude/skills of the repository. The error is a
// [gitstore.NoItemError] if nobody knows of it.
func (ca *Catalogue) Get(ctx context.Context, name string, folders ...string) (Skill, error) {
	s := Skill{Name: name}
	if err := gitstore.CheckName(name); err != nil {
		return s, err
	}
	k, err := ca.knowledge.Item(ctx, skillNamespace+"/"+name)
	if err == nil {
		s.Known = &k
	} else if !errors.Is(err, gitstore.ErrNotFound) {
		return s, err
	}
	if s.Docs, err = ca.knowledge.ItemsUnder(ctx, skillNamespace+"/"+name); err != nil {
		return s, err
	}
	if s.Items, err = ca.knowledge.Items(ctx, knowledge.ItemQuery{Skill: name}); err != nil {
		return s, err
	}
	if s.Checkpoints, err = ca.stores.Store.Commits.Log(ctx, gitstore.Query{All: true, Skill: name}); err != nil {
		return s, err
	}
	for _, folder := range folders {
		s.Files = append(s.Files, skillFiles(folder, name)...)
	}
	if s.Known == nil && len(s.Docs)+len(s.Items)+len(s.Checkpoints)+len(s.Files) == 0 {
		return s, &gitstore.NoItemError{ID: name, Kind: "skill"}
	}
	return s, nil
}

// skillFiles are SKILL.md and docs/*.md of a skill in a folder. A link that leads out
// of the folder is not followed: a repository is somebody else's.
func skillFiles(folder, name string) (out []SkillFile) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer root.Close()
	files := []string{name + "/SKILL.md"}
	docs, _ := fs.Glob(root.FS(), name+"/docs/*.md")
	for _, file := range append(files, docs[:min(len(docs), maxSkillFiles)]...) {
		if text, ok := readWithin(root, file); ok {
			out = append(out, SkillFile{path.Join(folder, file), text})
		}
	}
	return out
}

func readWithin(root *os.Root, file string) (string, bool) {
	f, err := root.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return "", false
	}
	b, err := io.ReadAll(io.LimitReader(f, maxSkillFile))
	return strings.ToValidUTF8(string(b), "\ufffd"), err == nil && len(b) > 0
}

// Names returns the names of all skills that anybody knows of, sorted: of the knowledge
// tree, of items and checkpoints, and of the folders of a client.
func (ca *Catalogue) Names(ctx context.Context, folders ...string) ([]string, error) {
	names := map[string]bool{}
	known, err := ca.knowledge.ItemsUnder(ctx, skillNamespace)
	for _, k := range known {
		names[k.Item.ID] = true
	}
	if err != nil {
		return nil, err
	}
	items, err := ca.knowledge.Items(ctx, knowledge.ItemQuery{})
	for _, k := range items {
		for _, s := range k.Item.Scope.Skills {
			names[s] = true
		}
	}
	if err != nil {
		return nil, err
	}
	records, err := ca.stores.Store.Commits.Log(ctx, gitstore.Query{All: true})
	for _, r := range records {
		names[r.Skill] = true
	}
	for _, folder := range folders {
		files, _ := fs.Glob(os.DirFS(folder), "*/SKILL.md")
		for _, file := range files {
			names[path.Dir(file)] = true
		}
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return gitstore.CheckName(name) != nil })
	return slices.Sorted(maps.Keys(names)), err
}

// Context is what an agent is given for a skill: what the client has for it, and
// within a fence what memory has: what it is for, its texts, the items that hold, and
// the newest checkpoint.
func (ca *Catalogue) Context(ctx context.Context, s Skill) (string, error) {
	var out strings.Builder
	for _, f := range s.Files {
		fmt.Fprintf(&out, "## %s\n\n%s\n\n", f.Path, strings.TrimSpace(f.Text))
	}
	inside, err := ca.skillMemory(ctx, s)
	if err != nil {
		return "", err
	}
	if inside != "" {
		out.WriteString(brief.Fence("skill "+s.Name, inside) + "\n")
	}
	return strings.TrimRight(out.String(), "\n") + "\n", nil
}

func (ca *Catalogue) skillMemory(ctx context.Context, s Skill) (string, error) {
	var parts []string
	add := func(head, text string) { parts = append(parts, strings.TrimSpace(head+"\n\n"+text)) }
	if s.Known != nil {
		add("# Skill "+s.Name+ca.provenance.TrustAside(ctx, *s.Known, ""), s.Known.Item.Text())
	}
	for _, d := range s.Docs {
		add("## "+d.Item.ID+ca.provenance.TrustAside(ctx, d, ""), d.Item.Text())
	}
	for _, k := range s.Items {
		if k.Err == nil {
			add("## "+k.Item.ID+ca.provenance.TrustAside(ctx, k, k.Item.Type.Kind()), k.Item.Text())
		}
	}
	if i := slices.IndexFunc(s.Checkpoints, func(r gitstore.Record) bool { return r.Kind != gitstore.KindTombstone }); i >= 0 {
		c, err := ca.stores.Store.Commits.Load(ctx, s.Checkpoints[i].ID)
		if err != nil {
			return "", err
		}
		body, err := ca.templates.Brief(ctx, c, templates.BriefOptions{})
		if err != nil {
			return "", err
		}
		add("## Newest checkpoint "+brief.ShortID(c.ID), body) // which says where it came from
	}
	return strings.Join(parts, "\n\n"), nil
}
