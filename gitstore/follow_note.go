package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/prose/cut"
)

// A turn is what became of a branch of git's that a line goes with.
type turn struct {
	branch, line string
	now          string // its new name; "" if it is gone
}

// turns looks what became of the branches that are kept here: those that are not there
// any more were renamed, which the log of another one tells, or deleted.
func (s *Store) turns(ctx context.Context) (out []turn) {
	bonds := s.bonds()
	if len(bonds) == 0 {
		return nil
	}
	var names []string
	for _, b := range bonds {
		names = append(names, b.Branch)
	}
	there, err := s.gitBranches(ctx, names...)
	if err != nil {
		return nil
	}
	var gone []*bond
	for _, b := range bonds {
		if there[b.Branch] == "" && b.Branch != s.follow().branch { // an unborn one has no ref
			gone = append(gone, b)
		}
	}
	if len(gone) > 0 {
		unborn := s.checkedOut()
		gone = slices.DeleteFunc(gone, func(b *bond) bool { return slices.Contains(unborn, b.Branch) })
	}
	if len(gone) == 0 {
		return nil
	}
	branches, err := s.gitBranches(ctx)
	if err != nil {
		return nil
	}
	became := s.renamed(branches)
	for _, b := range gone {
		out = append(out, turn{b.Branch, b.Line, became[b.Branch]})
	}
	return out
}

// checkedOut are the branches that work trees are on, also those without a commit, of
// which there is no ref.
func (s *Store) checkedOut() (out []string) {
	dirs := []string{s.where.commonDir}
	trees, _ := fsx.ReadDir(filepath.Join(s.where.commonDir, "worktrees")) // else there are none
	for _, d := range trees {
		dirs = append(dirs, filepath.Join(s.where.commonDir, "worktrees", d.Name()))
	}
	for _, dir := range dirs {
		b, err := readName(filepath.Join(dir, "HEAD"))
		if name, ok := strings.CutPrefix(text(b), "ref: "+headsOfUser); ok && err == nil {
			out = append(out, name)
		}
	}
	return out
}

// renamed tells of names that branches had what they are called now.
func (s *Store) renamed(branches map[string]string) map[string]string {
	out := map[string]string{}
	for name := range branches {
		for _, old := range s.formerNames(name) {
			if branches[old] == "" && s.bondOf(name) == nil {
				out[old] = name
			}
		}
	}
	return out
}

// noteBranch records behind a save, in lines/<line>.yaml, with which branch the line goes,
// and what became of other branches: a new name, or that a branch is gone, which closes a
// line that goes with no other. It returns what a person should know. The save stands
// whatever becomes of this: the next one tries again.
func (s *Store) noteBranch(ctx context.Context, line string) (said []string) {
	f := s.follow()
	if f.branch == "" {
		return nil
	}
	turns := s.turns(ctx)
	bound := f.bond
	switch {
	case f.was != "":
		turns = slices.DeleteFunc(turns, func(t turn) bool { return t.branch == f.was })
		turns = append(turns, turn{f.was, f.line, f.branch})
	case line == f.line && bound == nil && line != DefaultLine:
		if err := s.bind(f.branch, line); err != nil {
			return []string{err.Error()}
		}
		bound = s.bondOf(f.branch)
	}
	if bound != nil && (bound.Noted || line != f.line || f.was != "") {
		bound = nil
	}
	if bound == nil && len(turns) == 0 {
		return nil
	}
	return s.writeTurns(ctx, bound, turns)
}

func (s *Store) writeTurns(ctx context.Context, bound *bond, turns []turn) []string {
	out, err := s.writePlan(ctx, func(tip string) (treeChange, error) {
		p := linesPlan{s: s, tip: tip, notes: map[string]*LineNote{}, was: map[string]string{}}
		p.all()
		if bound != nil {
			p.bind(bound.Branch, bound.Line)
			p.note(bound.Line).Began = bound.From
		}
		for _, t := range turns {
			p.turn(ctx, t)
		}
		return p.change()
	}, also{})
	if err != nil {
		return append(out.warnings, "the branch of the line was not noted: "+err.Error())
	}
	if bound != nil {
		bound.Noted = true
		_ = s.keepBond(*bound) // else it is noted again, which changes nothing
	}
	for _, t := range turns {
		if t.now != "" {
			_ = s.bind(t.now, t.line)
			if b := s.bondOf(t.now); b != nil {
				b.Noted = true
				_ = s.keepBond(*b)
			}
		}
		s.forgetBond(t.branch)
	}
	return out.warnings
}

// A linesPlan changes notes of lines at a tip of the knowledge.
type linesPlan struct {
	s     *Store
	tip   string
	notes map[string]*LineNote
	was   map[string]string // what they were, as YAML
	acts  []string
}

// all reads the notes that there are.
func (p *linesPlan) all() {
	if p.tip == "" {
		return
	}
	for name, n := range p.s.notesIn(p.tip) {
		p.notes[name] = &n
		p.was[name] = n.yaml()
	}
}

func (p *linesPlan) note(line string) *LineNote {
	if p.notes[line] == nil {
		p.notes[line] = &LineNote{}
	}
	return p.notes[line]
}

// bind has a line go with a branch, and no other line.
func (p *linesPlan) bind(branch, line string) {
	for name, n := range p.notes {
		if name == line {
			continue
		}
		n.Branches = slices.DeleteFunc(n.Branches, func(b string) bool { return b == branch })
		if len(n.Branches)+len(n.Gone) == 0 {
			n.Began = ""
		}
	}
	n := p.note(line)
	n.Gone = slices.DeleteFunc(n.Gone, func(b string) bool { return b == branch })
	if !slices.Contains(n.Branches, branch) {
		n.Branches = append(n.Branches, branch)
	}
	p.acts = append(p.acts, "line "+line+" goes with branch "+branch)
}

func (p *linesPlan) turn(ctx context.Context, t turn) {
	n := p.note(t.line)
	n.Branches = slices.DeleteFunc(n.Branches, func(b string) bool { return b == t.branch })
	if t.now != "" {
		p.bind(t.now, t.line)
		return
	}
	tip, err := p.s.tip(ctx, headRef(t.line))
	if err != nil || tip == "" || t.line == DefaultLine {
		return
	}
	if slices.Contains(n.Gone, t.branch) || n.closedByHand() { // another one was faster, or nobody wants it
		return
	}
	if n.Gone = newest(append(n.Gone, t.branch), maxListed); len(n.Branches) == 0 && !n.Closed {
		n.Closed, n.ClosedAt = true, tip
	}
	p.acts = append(p.acts, "branch "+t.branch+" of line "+t.line+" is gone")
}

// closedByHand reports whether somebody closed the line, and not the end of its branch.
func (n *LineNote) closedByHand() bool { return n.Closed && len(n.Gone) == 0 }

// newest is the end of a list: which branches went away long ago nobody needs.
func newest(list []string, most int) []string { return list[max(0, len(list)-most):] }

// change is the files that are other than they were, clean of secrets.
func (p *linesPlan) change() (treeChange, error) {
	files := map[string][]byte{}
	for name, n := range p.notes {
		text := n.yaml()
		if text == p.was[name] || text == "" && p.was[name] == "" {
			continue
		}
		if text == "" {
			files["lines/"+name+".yaml"] = nil
			continue
		}
		clean, _, err := p.s.o.Redact.Text(text)
		if err != nil {
			return treeChange{}, fmt.Errorf("look for secrets: %w: nothing was noted", err)
		}
		files["lines/"+name+".yaml"] = []byte(clean)
	}
	subject, _, err := p.s.o.Redact.Text(strings.Join(p.acts, ", "))
	return treeChange{subject: cut.Runes(subject, 200), files: files}, err
}

// yaml is the file of a note, "" of one that says nothing.
func (n *LineNote) yaml() string {
	b, err := yaml.Marshal(n)
	if err != nil || string(b) == "{}\n" {
		return ""
	}
	return string(b)
}
