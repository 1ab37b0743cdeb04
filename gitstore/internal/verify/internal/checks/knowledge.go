package checks

import (
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Knowledge checks the names and notes of the knowledge tree as it is now. That
// everything in its history can be read, History has seen.
type Knowledge struct {
	Contents  *contents.Tree
	History   *history.History
	Admission *admission.Gate
}

func (c Knowledge) Run(p *pass.Pass) {
	k := &knowledgeTree{Pass: p, contents: c.Contents, deepest: map[inFolder]int{}, tallies: contents.Tallies{}}
	k.check(c)
}

// A knowledgeTree is the tree as it is looked through.
type knowledgeTree struct {
	*pass.Pass
	contents *contents.Tree
	tallies  contents.Tallies // what bounded folders hold
	deepest  map[inFolder]int // how far down folders were looked at, plus 1
	names    int              // that were looked at
}

func (k *knowledgeTree) check(c Knowledge) {
	id := k.IDOf(refname.KnowledgeRef)
	if id != "" && k.files(id) {
		if err := c.History.MayWrite(id); errors.Is(err, repo.ErrNewer) { // what cannot be read is reported with its tree
			k.Warn("newer-format", "knowledge", err.Error(), remedy.Typed("upgrade git-sage"))
		}
		if k.Most == 0 {
			k.onlyKnowledge(c.Admission, id)
		}
	}
	if id := k.IDOf(refname.PrivateRef); id != "" {
		k.files(id)
	}
}

// files looks through the files of a commit; false if that cannot be read, which is reported
// with its ref.
func (k *knowledgeTree) files(commit string) bool {
	o, err := k.Anywhere(commit)
	if err != nil {
		return false
	}
	var items []gittree.Entry
	k.entries(gittree.Of(o.Data), "", 0, &items)
	k.items(items)
	return true
}

// onlyKnowledge makes sure that no state of the knowledge, back to the first, holds
// anything at a place where nothing of ours lies.
func (k *knowledgeTree) onlyKnowledge(gate *admission.Gate, tip string) {
	v, err := gate.Verifier(k.Ctx, true)
	if err == nil {
		err = v.Verdict(tip)
	}
	var place *admission.PlaceError
	named := slices.ContainsFunc(k.Report.Findings, func(f part.Finding) bool { return f.Kind == "bad-path" })
	if errors.As(err, &place) && !named {
		k.Foreign("knowledge", legible.OneLine(err.Error())+"; a push would publish it")
	}
}

// An inFolder is a folder, and in which folder of the root it lies: what that is for.
type inFolder struct {
	tree, top string
}

// entries looks at each folder once, or again where it lies deeper: a few that hold
// each other many times make more paths than anybody can walk.
func (k *knowledgeTree) entries(tree, dir string, depth int, items *[]gittree.Entry) {
	at := inFolder{tree, ""}
	switch top, _, _ := strings.Cut(contents.Public(dir), "/"); top {
	case contents.LinesDir, contents.ItemsDir, contents.SystemDir, contents.SkillsDir, contents.TemplatesDir:
		at.top = top
	}
	if k.deepest[at] > depth {
		return // looked at where less may lie below it
	}
	k.deepest[at] = depth + 1
	o, err := k.Anywhere(tree)
	if err != nil || o.Type != "tree" {
		return // reported by wholeTree
	}
	for _, e := range gittree.Parse(o.Data, k.Repo.IDSize()) {
		if !k.More(&k.names) {
			return
		}
		path := dir + e.Name
		if contents.CheckPath(path) != nil || strings.Contains(e.Name, "/") || depth > contents.MaxDepth || e.Mode != gittree.ModeFile && e.Mode != gittree.ModeDir {
			k.Add("bad-path", "knowledge:"+legible.OneLine(path), "mode "+e.Mode+" or name is not allowed in the knowledge tree", remedy.PurgeForeign.On())
			continue
		}
		if e.Mode == gittree.ModeDir {
			k.entries(e.ID, path+"/", depth+1, items)
		} else if k.beyond(path, e.ID) { // and is not read
		} else if line, ok := strings.CutPrefix(contents.Public(path), contents.LinesDir+"/"); ok {
			k.lineNote(path, strings.TrimSuffix(line, ".yaml"), e.ID)
		} else if contents.IsItemPath(path) {
			*items = append(*items, gittree.Entry{Mode: e.Mode, Name: path, ID: e.ID})
		} else if path == contents.CoreListFile {
			k.coreFiles(e.ID)
		}
	}
}

// beyond names a file that is larger than what every session reads, or one too many.
func (k *knowledgeTree) beyond(file, blob string) bool {
	if _, ok := contents.BoundOf(file); !ok {
		return false
	}
	o, err := k.Anywhere(blob)
	if err != nil {
		return false // reported by wholeTree
	}
	if err = k.tallies.Add(file, len(o.Data)); err != nil {
		k.Warn("too-large", "knowledge:"+legible.OneLine(file), legible.OneLine(err.Error()), purge.PurgeOf(file)...)
	}
	return err != nil
}

// lineNote checks a note that says which branches a line belongs to.
func (k *knowledgeTree) lineNote(path, line, blob string) {
	o, err := k.Anywhere(blob)
	if err != nil {
		return
	}
	if _, err := contents.ParseNote(o.Data); err != nil {
		k.Warn("bad-note", "knowledge:"+path, "ignored: "+legible.OneLine(err.Error()), remedy.CloseLine.On(line))
	}
}
