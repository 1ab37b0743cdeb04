package follow

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/prose/cut"
)

// A turn is what became of a branch of git's that a line goes with.
type turn struct {
	branch, line string
	now          string // its new name; "" if it is gone
}

// turns looks what became of the branches that are kept here: those that are not there
// any more were renamed, which the log of another one tells, or deleted.
func (fo *Follower) turns(ctx context.Context) (out []turn) {
	bonds := fo.bonds()
	if len(bonds) == 0 {
		return nil
	}
	var names []string
	for _, b := range bonds {
		names = append(names, b.Branch)
	}
	there, err := fo.gitBranches(ctx, names...)
	if err != nil {
		return nil
	}
	var gone []*session.Bond
	for _, b := range bonds {
		if there[b.Branch] == "" && b.Branch != fo.session.Follow().Branch { // an unborn one has no ref
			gone = append(gone, b)
		}
	}
	if len(gone) > 0 {
		unborn := fo.checkedOut()
		gone = slices.DeleteFunc(gone, func(b *session.Bond) bool { return slices.Contains(unborn, b.Branch) })
	}
	if len(gone) == 0 {
		return nil
	}
	branches, err := fo.gitBranches(ctx)
	if err != nil {
		return nil
	}
	became := fo.renamed(branches)
	for _, b := range gone {
		out = append(out, turn{b.Branch, b.Line, became[b.Branch]})
	}
	return out
}

// NoteBranch records behind a save, in lines/<line>.yaml, with which branch the line goes,
// unless that is the default one, on which a person switches lines for themself alone; and
// what became of other branches: a new name, or that a branch is gone, which closes a
// line that goes with no other. It returns what a person should know. The save stands
// whatever becomes of this: the next one tries again.
func (fo *Follower) NoteBranch(ctx context.Context, line string) (said []remedy.Note) {
	f := fo.session.Follow()
	if f.Branch == "" {
		return nil
	}
	turns := fo.turns(ctx)
	bound := f.Bond
	switch {
	case f.Was != "":
		turns = slices.DeleteFunc(turns, func(t turn) bool { return t.branch == f.Was })
		turns = append(turns, turn{f.Was, f.Line, f.Branch})
	case line == f.Line && bound == nil && line != refname.DefaultLine:
		if old := fo.bondOf(f.Branch); old != nil && old.Line != line { // that branch is gone, and this is another
			turns = append(turns, turn{f.Branch, old.Line, ""})
		}
		if err := fo.Bind(f.Branch, line); err != nil {
			return []remedy.Note{remedy.NoteOf(err)}
		}
		bound = fo.bondOf(f.Branch)
	}
	if bound != nil && (bound.Noted || line != f.Line || f.Was != "" || fo.isDefaultBranch(ctx, f.Branch)) {
		bound = nil
	}
	if bound == nil && len(turns) == 0 {
		return nil
	}
	return fo.writeTurns(ctx, bound, turns)
}

func (fo *Follower) writeTurns(ctx context.Context, bound *session.Bond, turns []turn) []remedy.Note {
	out, err := fo.contents.WritePlan(ctx, func(state string) (contents.TreeChange, error) {
		p := linesPlan{s: fo, state: state, acts: map[bool][]string{}, notes: map[string]*commits.LineNote{}, was: map[string]string{}}
		p.all()
		if bound != nil {
			p.bind(bound.Branch, bound.Line)
			p.note(bound.Line).Began = bound.From
		}
		for _, t := range turns {
			p.turn(ctx, t)
		}
		return p.change()
	}, contents.Also{})
	if err != nil {
		return append(out.Warnings, remedy.NoteOf(fmt.Errorf("the line's branch was not recorded: %w", err)))
	}
	if bound != nil {
		bound.Noted = true
		_ = fo.keepBond(*bound) // else it is noted again, which changes nothing
	}
	for _, t := range turns {
		if t.now != "" {
			_ = fo.Bind(t.now, t.line)
			if b := fo.bondOf(t.now); b != nil {
				b.Noted = true
				_ = fo.keepBond(*b)
			}
		}
		if bound == nil || bound.Branch != t.branch {
			fo.forgetBond(t.branch)
		}
	}
	return out.Warnings
}

// A linesPlan changes notes of lines in a state of the knowledge.
type linesPlan struct {
	s     *Follower
	state string
	notes map[string]*commits.LineNote
	was   map[string]string // what they were, as YAML
	acts  map[bool][]string // what was done, to private lines and to others
}

// act says what was done to a line.
func (p *linesPlan) act(line, what string) {
	private := p.s.repo.IsPrivate(line)
	p.acts[private] = append(p.acts[private], what)
}

// all reads the notes that there are.
func (p *linesPlan) all() {
	if p.state == "" {
		return
	}
	for name, n := range p.s.NotesIn(p.state) {
		p.notes[name] = &n
		p.was[name] = n.Yaml()
	}
}

func (p *linesPlan) note(line string) *commits.LineNote {
	if p.notes[line] == nil {
		p.notes[line] = &commits.LineNote{}
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
	p.act(line, "line "+line+bound+branch)
}

// bound stands between a line and the branch that it goes with from then on.
const bound = " goes with branch "

// IsBound reports whether all that a commit of the knowledge did is that a line goes with a
// branch from then on, which comes by itself with the first save on the branch.
func IsBound(description string) bool {
	line, branch, ok := strings.Cut(strings.TrimPrefix(description, "line "), bound)
	return ok && strings.HasPrefix(description, "line ") && naming.NameProblem(line) == "" && !strings.ContainsAny(branch, ";,\n")
}

func (p *linesPlan) turn(ctx context.Context, t turn) {
	n := p.note(t.line)
	n.Branches = slices.DeleteFunc(n.Branches, func(b string) bool { return b == t.branch })
	if t.now != "" {
		p.bind(t.now, t.line)
		return
	}
	tip, err := p.s.repo.Tip(ctx, refname.HeadRef(t.line))
	if err != nil || tip == "" || t.line == refname.DefaultLine {
		return
	}
	if slices.Contains(n.Gone, t.branch) || n.ClosedByHand() { // another one was faster, or nobody wants it
		return
	}
	if n.Gone = newest(append(n.Gone, t.branch), contents.MaxListed); len(n.Branches) == 0 && !n.Closed {
		n.Closed, n.ClosedAt = true, tip
	}
	p.act(t.line, "branch "+t.branch+" of line "+t.line+" is gone")
}

// newest is the end of a list: which branches went away long ago nobody needs.
func newest(list []string, most int) []string { return list[max(0, len(list)-most):] }

// change is the files that are other than they were, clean of secrets.
func (p *linesPlan) change() (contents.TreeChange, error) {
	files := map[string][]byte{}
	for name, n := range p.notes {
		if n.Yaml() == p.was[name] {
			continue
		}
		for _, list := range []*[]string{&n.Branches, &n.Gone} { // before YAML quotes them: [redacted:...] reads as a list
			clean := slices.Clone(*list)
			for i := range clean {
				var err error
				if clean[i], _, err = p.s.repo.Options.Redact.Text(clean[i]); err != nil {
					return contents.TreeChange{}, fmt.Errorf("look for secrets: %w; nothing was noted", err)
				}
			}
			*list = clean
		}
		file, err := p.s.NoteFile(name)
		if err != nil {
			return contents.TreeChange{}, err
		}
		files[file] = nil
		if text := n.Yaml(); text != "" {
			files[file] = []byte(text)
		}
	}
	shared, err := p.subject(false)
	if err != nil {
		return contents.TreeChange{}, err
	}
	private, err := p.subject(true)
	return contents.TreeChange{Subject: shared, Private: private, Files: files}, err
}

// subject says what was done to private lines, or to others: of these something may have changed
// for the sake of a private one, which is not named.
func (p *linesPlan) subject(private bool) (string, error) {
	subject, _, err := p.s.repo.Options.Redact.Text(cmp.Or(strings.Join(p.acts[private], ", "), "branches of lines"))
	return cut.Runes(subject, 200), err
}
