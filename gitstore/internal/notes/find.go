package notes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose/cut"
)

// A Commit is one of the user's own, with what explains it.
type Commit struct {
	ID          string
	Parents     []string
	Author      string
	Time        time.Time // of the author
	Subject     string
	Checkpoints []record.Record // the oldest first, without what was removed
}

const (
	mostCommits = 5000 // of a range that is looked at
	mostPatched = 500  // of those without a note, the newest, whose patch is looked at: those of git-sage itself take 0.7 s of processor time
	mostBack    = 20   // commits before one, in which a file may wait to be committed
	clockSlack  = time.Minute
)

// IsCommit reports whether a revision of git names a commit.
func (ns *Notes) IsCommit(ctx context.Context, rev string) bool {
	_, err := ns.repo.Git.Run(ctx, "rev-parse", "--verify", "-q", "--end-of-options", rev+"^{commit}")
	return err == nil
}

// List returns the commits that revisions of git choose, as git log lists them, each with what
// explains it. most bounds them; 0 is no bound but that of a range.
func (ns *Notes) List(ctx context.Context, most int, revs ...string) ([]Commit, error) {
	if most <= 0 || most > mostCommits {
		most = mostCommits
	}
	args := []string{"log", "-z", "--no-notes", "--no-decorate", "--no-color", "--no-show-signature", "--format=%H%x1f%P%x1f%an%x1f%at%x1f%s", fmt.Sprintf("--max-count=%d", most), "--end-of-options"}
	var out []Commit
	err := ns.repo.Git.Records(ctx, func(b []byte) bool {
		if f := strings.SplitN(string(b), "\x1f", 5); len(f) == 5 {
			out = append(out, Commit{ID: f[0], Parents: strings.Fields(f[1]), Author: f[2], Time: record.Unix(f[3]), Subject: f[4]})
		}
		return true
	}, append(args, append(revs, "--")...)...)
	if err != nil || len(out) == 0 {
		return nil, listError(err, revs)
	}
	ids := make([]string, len(out))
	for i, c := range out {
		ids[i] = c.ID
	}
	found, err := ns.find(ctx, ids, true)
	if err != nil {
		return nil, err
	}
	explain := ns.checkpoints(ctx, found)
	for i := range out {
		out[i].Checkpoints = explain[out[i].ID]
	}
	return out, nil
}

// Named are the checkpoints that notes name, by commit: those on the commit, else on what it
// was picked from, rewritten from or squashed of.
func (ns *Notes) Named(ctx context.Context, commits ...string) (map[string][]record.Record, error) {
	found, err := ns.find(ctx, commits, false)
	return ns.checkpoints(ctx, found), err
}

// checkpoints are those that notes name and that were not removed, the oldest first.
func (ns *Notes) checkpoints(ctx context.Context, found map[string]note) map[string][]record.Record {
	records, out := ns.known(ctx, found), map[string][]record.Record{}
	for c, n := range found {
		for id := range n.checkpoints {
			if r, ok := records[id]; ok {
				out[c] = append(out[c], r)
			}
		}
		slices.SortFunc(out[c], func(a, b record.Record) int {
			return cmp.Or(a.Recorded.Compare(b.Recorded), strings.Compare(a.ID, b.ID))
		})
		out[c] = slices.CompactFunc(out[c], func(a, b record.Record) bool { return a.ID == b.ID })
	}
	return out
}

// listError says which revisions git does not know.
func listError(err error, revs []string) error {
	var e *git.Error
	if errors.As(err, &e) && e.NoRevision() {
		return fmt.Errorf("git knows no commit or range '%s'", strings.Join(revs, " "))
	}
	return err
}

// known are the checkpoints that notes name, by the ids that they have there: those that are
// here and were not removed. What a purge put in the place of one stands for it.
func (ns *Notes) known(ctx context.Context, notes map[string]note) map[string]record.Record {
	ctx, out := ns.commits.Viewing(ctx), map[string]record.Record{}
	for _, n := range notes {
		for id := range n.checkpoints {
			if _, seen := out[id]; seen {
				continue
			}
			if r, err := ns.commits.Record(ctx, id); err == nil && r.Counts() && r.Kind != record.KindKnowledge {
				out[id] = r
			}
		}
	}
	return out
}

// find says what explains commits: of each its note or, where it has none that names a
// checkpoint, all of
//
//   - the notes on commits with the same patch, from which it was picked or rewritten
//   - the notes on the commits of a branch that has its patch as a whole: a squash merge
//   - if that is asked, the checkpoints that were saved while it was made, see [Notes.made]
func (ns *Notes) find(ctx context.Context, commits []string, made bool) (map[string]note, error) {
	tip, err := ns.repo.Tip(ctx, backup.NotesRef)
	if err != nil {
		return nil, err
	}
	out, left := map[string]note{}, commits
	if tip != "" {
		left = nil
		for _, c := range commits {
			n, err := ns.at(tip, c)
			if err != nil {
				return nil, err
			}
			if len(n.checkpoints) > 0 {
				out[c] = n
			} else {
				left = append(left, c)
			}
		}
	}
	if len(left) == 0 {
		return out, nil
	}
	more, err := ns.look(ctx, tip, left, made, nil)
	maps.Copy(out, more)
	return out, err
}

// look is find for commits without notes. For was see [Notes.made].
func (ns *Notes) look(ctx context.Context, tip string, commits []string, made bool, was map[string][]string) (map[string]note, error) {
	out := map[string]note{}
	if tip != "" {
		same, err := ns.samePatch(ctx, tip, commits)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, same)
	}
	if !made {
		return out, nil
	}
	saved, err := ns.made(ctx, commits, was)
	for c, n := range saved {
		if have, ok := out[c]; ok {
			n = have.with(n)
		}
		out[c] = n
	}
	return out, err
}

// samePatch finds the notes on commits that changed the same. Each note says the patch of its
// commit, so that also counts which is not here any more.
func (ns *Notes) samePatch(ctx context.Context, tip string, commits []string) (map[string]note, error) {
	notes, err := ns.all(tip)
	if err != nil {
		return nil, err
	}
	patches, err := ns.patches(ctx, cut.First(commits, mostPatched))
	if err != nil {
		return nil, err
	}
	byPatch := map[string]note{}
	for _, n := range notes {
		for p := range n.patches {
			if have, ok := byPatch[p]; ok {
				byPatch[p] = have.with(note{checkpoints: n.checkpoints})
			} else {
				byPatch[p] = newNote().with(note{checkpoints: n.checkpoints})
			}
		}
	}
	out, left := map[string]note{}, map[string]string{}
	for commit, p := range patches {
		if n := byPatch[p]; len(n.checkpoints) > 0 {
			out[commit] = n
		} else {
			left[commit] = p
		}
	}
	if len(left) > 0 {
		maps.Copy(out, ns.squashed(ctx, notes, left, commits[0]))
	}
	return out, nil
}

// patches are the stable patch ids of commits; a merge and an empty commit have none.
func (ns *Notes) patches(ctx context.Context, commits []string) (map[string]string, error) {
	r, w := io.Pipe()
	go func() {
		in := strings.NewReader(strings.Join(commits, "\n") + "\n")
		_ = w.CloseWithError(ns.repo.Git.Pipe(ctx, in, w, "diff-tree", "--stdin", "--root", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"))
	}()
	var ids bytes.Buffer
	err := ns.repo.Git.Pipe(ctx, r, &ids, "patch-id", "--stable")
	_ = r.CloseWithError(err)
	out := map[string]string{}
	for l := range strings.Lines(ids.String()) {
		if f := strings.Fields(l); len(f) == 2 && ns.repo.IsID(f[1]) {
			out[f[1]] = f[0]
		}
	}
	return out, err
}

const (
	mostSide = 2000 // commits of branches that are not merged, the newest
	mostTips = 50   // branches whose patch is looked at
)

// squashed finds which commits, given with their patches, have the patch of a whole branch on
// which notes are, beside the history of head: of one that is not merged, or of commits that
// no branch holds any more. What git does not say is not found.
func (ns *Notes) squashed(ctx context.Context, notes map[string]note, patches map[string]string, head string) map[string]note {
	next, parents := map[string]bool{}, map[string][]string{}
	var in strings.Builder
	for c := range notes {
		if o, err := ns.repo.Batch.Get(c); err == nil && o.Type == "commit" {
			in.WriteString(c + "\n")
		}
	}
	out, err := ns.repo.Git.Feed(ctx, []byte("^"+head+"\n"+in.String()), "rev-list", "--parents", "--branches", "--remotes", fmt.Sprintf("--max-count=%d", mostSide), "--stdin")
	if err != nil {
		return nil
	}
	for l := range strings.Lines(string(out)) {
		if f := strings.Fields(l); len(f) > 0 {
			parents[f[0]] = f[1:]
			for _, p := range f[1:] {
				next[p] = true
			}
		}
	}
	byPatch, looked := map[string]note{}, 0
	for tip := range parents {
		if n := union(notes, parents, tip); !next[tip] && len(n.checkpoints) > 0 && looked < mostTips {
			looked++
			if whole, err := ns.repo.PatchIDs(ctx, nil, "-r", "--no-renames", "--merge-base", head, tip); err == nil && len(whole) == 1 {
				byPatch[whole[0]] = n
			}
		}
	}
	found := map[string]note{}
	for commit, p := range patches {
		if n, ok := byPatch[p]; ok {
			found[commit] = n
		}
	}
	return found
}

// union is what notes say of a commit and of those behind it, as far as parents tells of them.
func union(notes map[string]note, parents map[string][]string, tip string) note {
	out, seen := newNote(), map[string]bool{}
	for todo := []string{tip}; len(todo) > 0; {
		c := todo[0]
		todo = todo[1:]
		if _, beside := parents[c]; !beside || seen[c] {
			continue
		}
		seen[c] = true
		for id, thesis := range notes[c].checkpoints {
			out.name(id, thesis)
		}
		todo = append(todo, parents[c]...)
	}
	return out
}

// made finds the checkpoints that were saved while a commit was made. A checkpoint says at
// which commit and branch the code stood when it was saved, and names files: those that it
// read or changed, and those of its code references. It explains
//
//   - the next commit, if that touches a file which it names, or if it names none and a person
//     or an agent saved it: what git-sage saved by itself counts by its files alone
//   - of up to 20 further commits the first that touches a file which it changed or refers to,
//     for who splits the work into several
//   - the commit whose message names it, see [Notes.Next]
//
// It must not be younger than the commit, and the branch on which it was saved, if there is
// one of that name, must hold the commit: another work tree may stand at the same commit.
// was names commits for a commit on which something may have been saved that counts as saved
// before it: what it was made of by an amend, or what its parent was before a rebase.
func (ns *Notes) made(ctx context.Context, of []string, was map[string][]string) (map[string]note, error) {
	if len(of) == 0 {
		return nil, nil
	}
	m, err := ns.maker(ctx, of)
	if err != nil {
		return nil, err
	}
	out := map[string]note{}
	for _, c := range of {
		n, err := m.made(c, was[c])
		if err != nil {
			return nil, err
		}
		if len(n.checkpoints) > 0 {
			out[c] = n
		}
	}
	return out, nil
}

// A logged commit is one of the user's with the files that it touches.
type logged struct {
	parents  []string
	time     time.Time // of the committer
	files    []string
	trailers []string // what its message may name
}

// log reads commits and those before them.
func (ns *Notes) log(ctx context.Context, of []string) (map[string]*logged, error) {
	out := map[string]*logged{}
	if len(of) == 0 {
		return out, nil
	}
	var last *logged
	s := []string{"log", "-z", "--stdin", "--no-notes", "--no-color", "--no-show-signature", "--no-renames", "--format=%x01%H %ct %P%x01%(trailers:key=" + Trailer + ",valueonly)", "--name-only", "-c", fmt.Sprintf("--max-count=%d", len(of)+mostBack)}
	if len(of) == 1 {
		s = append(s, "--first-parent")
	}
	list, err := ns.repo.Git.Feed(ctx, []byte(strings.Join(of, "\n")+"\n"), s...)
	for part := range strings.SplitSeq(string(list), "\x00") {
		part = strings.TrimPrefix(part, "\n")
		if head, ok := strings.CutPrefix(part, "\x01"); ok {
			head, trailers, _ := strings.Cut(head, "\x01")
			f := strings.Fields(head)
			last = &logged{parents: f[2:], time: record.Unix(f[1]), trailers: cut.First(strings.Fields(trailers), mostNamed)}
			out[f[0]] = last
		} else if part != "" && last != nil {
			last.files = append(last.files, part)
		}
	}
	return out, err
}

// named are the files that a checkpoint names.
type named struct{ read, changed []string }

// A maker looks for what was saved while commits were made.
type maker struct {
	ns    *Notes
	ctx   context.Context
	saved map[string][]record.Record // by the commit at which the code stood; "" is none yet
	log   map[string]*logged
	named map[string]named
	holds map[string]map[string]bool // by branch: those of the commits that it does not hold; nil where there is no such branch
	of    []string
}

// maker returns one that looks at some commits.
func (ns *Notes) maker(ctx context.Context, of []string) (*maker, error) {
	log, err := ns.log(ctx, of)
	if err != nil {
		return nil, err
	}
	ctx = ns.commits.Viewing(ctx)
	records, err := ns.commits.Log(ctx, commits.Query{All: true})
	saved := map[string][]record.Record{}
	for _, r := range records {
		if r.Code.Commit != "" || r.Code.Branch != "" {
			saved[r.Code.Commit] = append(saved[r.Code.Commit], r)
		}
	}
	return &maker{ns: ns, ctx: ctx, saved: saved, log: log, named: map[string]named{}, holds: map[string]map[string]bool{}, of: of}, err
}

// unborn stands for a commit that is about to be made.
const unborn = ""

// Next are the checkpoints that explain the commit that is about to be made of what an index
// file holds, the oldest first; "" is git's own.
func (ns *Notes) Next(ctx context.Context, index string) ([]record.Record, error) {
	run, head := ns.repo.Git, ns.repo.Code().Commit
	if index != "" {
		run = run.With("GIT_INDEX_FILE=" + index)
	}
	args := []string{"ls-files", "-z", "--cached"}
	if head != "" {
		args = []string{"diff-index", "-z", "--cached", "--name-only", "--no-renames", head}
	}
	list, err := run.Run(ctx, args...)
	if err != nil {
		return nil, err
	}
	c := &logged{time: ns.repo.Options.Now(), files: strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")}
	var of []string
	if head != "" {
		c.parents, of = []string{head}, []string{head}
	}
	m, err := ns.maker(ctx, of)
	if err != nil {
		return nil, err
	}
	m.log[unborn] = c
	n, err := m.made(unborn, nil)
	if err != nil {
		return nil, err
	}
	private, err := ns.repo.PrivateCheckpoints(ctx)
	maps.DeleteFunc(n.checkpoints, func(id, _ string) bool { return private[id] != "" })
	return ns.checkpoints(ctx, map[string]note{unborn: n})[unborn], err
}

// made is what was saved while a commit was made.
func (m *maker) made(commit string, was []string) (note, error) {
	out, c := newNote(), m.log[commit]
	if c == nil {
		return out, nil
	}
	for _, id := range c.trailers {
		if r, err := m.ns.commits.Record(m.ctx, id); m.ns.repo.IsID(id) && err == nil {
			out.name(r.ID, said(r))
		}
	}
	left := slices.Clone(c.files)
	bases := was
	for back, at := 0, c; back < mostBack && at != nil && (back == 0 || len(left) > 0); back++ {
		base := ""
		if len(at.parents) > 0 {
			base = at.parents[0]
		}
		for _, b := range append(bases, base) {
			for _, r := range m.saved[b] {
				yes, err := m.explains(r, commit, left, back == 0)
				if err != nil {
					return out, err
				}
				if yes {
					out.name(r.ID, said(r))
				}
			}
		}
		if bases, at = nil, m.log[base]; at != nil {
			left = slices.DeleteFunc(left, func(f string) bool { return slices.Contains(at.files, f) })
		}
	}
	return out, nil
}

// explains reports whether a checkpoint, saved where it may, explains a commit that touches
// some files; first says that it is the next one.
func (m *maker) explains(r record.Record, commit string, files []string, first bool) (bool, error) {
	if r.Recorded.After(m.log[commit].time.Add(clockSlack)) {
		return false, nil
	}
	n, ok := m.named[r.ID]
	if !ok {
		c, err := m.ns.commits.LoadBeginning(m.ctx, r.ID)
		if err != nil { // what cannot be read explains nothing
			return false, m.ctx.Err()
		}
		n.read, n.changed = c.FilesExplored, c.FilesChanged
		for _, ref := range c.CodeRefs {
			n.changed = append(slices.Clone(n.changed), ref.File)
		}
		m.named[r.ID] = n
	}
	touched := touches(n.changed, files)
	if first {
		byHand := r.Agent != sage.Rules && len(n.changed)+len(n.read) == 0
		touched = touched || touches(n.read, files) || byHand
	}
	if !touched {
		return false, nil
	}
	if commit == unborn {
		return r.Code.Branch == m.ns.repo.Code().Branch, nil
	}
	beside, err := m.beside(r.Code.Branch)
	return err == nil && !beside[commit], err
}

// touches reports whether one of the files is one of the names, or lies in a folder of that
// name.
func touches(names, files []string) bool {
	return slices.ContainsFunc(files, func(f string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			n = strings.Trim(n, "/")
			return n != "" && (f == n || strings.HasPrefix(f, n+"/"))
		})
	})
}

// beside are those of the commits that a branch does not hold.
func (m *maker) beside(branch string) (map[string]bool, error) {
	if branch == "" {
		return nil, nil
	}
	if beside, ok := m.holds[branch]; ok {
		return beside, nil
	}
	tip, err := m.ns.repo.Tip(m.ctx, "refs/heads/"+branch)
	if err != nil || tip == "" {
		m.holds[branch] = nil
		return nil, m.ctx.Err()
	}
	list, err := m.ns.repo.Git.Feed(m.ctx, []byte(strings.Join(m.of, "\n")+"\n^"+tip+"\n"), "rev-list", "--stdin")
	beside := map[string]bool{}
	for l := range strings.Lines(string(list)) {
		beside[strings.TrimSpace(l)] = true
	}
	m.holds[branch] = beside
	return beside, err
}
