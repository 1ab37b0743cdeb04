package purge

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A PurgeRequest says what is to go for good. Exactly one field is set, but for Past.
type PurgeRequest struct {
	Revs    []string // checkpoints: each leaves history, and what follows it continues what it continued
	Path    string   // a file or folder of the knowledge tree
	Past    bool     // of Path: what lies there now stays
	Match   string   // a pattern (RE2): what matches is replaced in every text, message and name
	Foreign bool     // what is no memory: commits, and what lies where nothing of ours does
}

// A PurgePlan says what a purge would do.
type PurgePlan struct {
	Touched       []PurgeItem   // commits whose own text or place changes
	Rewritten     int           // commits that get another id in all
	Files         int           // files that are replaced or go
	Living        []LivingFile  // of a path: what is there now and goes with what was there
	Refs          []string      // that move, in full
	Unreachable   []remedy.Note // where copies stay, besides remotes, and what to do about it
	Remotes       []string      // that had some of it when they were last asked
	Others        []string      // all other remotes: what was pushed there is not known
	Conversations int           // objects of conversations, or of another part, that hold some of it, and are written anew or go
	Beside        int           // files beside git that hold some of it: what is kept of sessions, and what is derived
	Waiting       int           // conversations that are still to be kept, in which it may be: what was said until now is not kept then
	Quoted        []PurgeItem   // commits that stay and quote a purged checkpoint word for word
	Quotes        string        // the pattern that cleans those
	Unfinished    int           // objects of an earlier purge, or left by a save that was killed, which are still there
}

// A PurgeItem is a commit that a purge changes, with its new description.
type PurgeItem struct {
	ID, Description string
	Gone            bool
}

// Purged says what a purge did.
type Purged struct {
	PurgePlan
	Objects  int         // that were removed
	Searched int         // objects that were searched in the end
	Left     []PurgeLeft // what is still there, and why
}

// A PurgeLeft is an object or file that still holds what is purged.
type PurgeLeft struct {
	Name, Why string
	Remedies  []remedy.Remedy
}

// Note is why it is still there, and what to do about it.
func (l PurgeLeft) Note() remedy.Note { return remedy.Note{Text: l.Why, Remedies: l.Remedies} }

// purgeTime bounds a purge: a large pack is read and written once.
const purgeTime = 12 * time.Hour

// A purge is one at work.
type purge struct {
	s       *Purger
	req     PurgeRequest
	re      *regexp.Regexp
	clean   *cleanse.Cleaner
	subject string
	moved   []journal.Move
	fetched bool            // only what was fetched is looked at: all else is clean
	quiet   bool            // what is found is known to the record of somebody else
	private map[string]bool // what never left: others are not told its ids
}

func (pu *Purger) newPurge(ctx context.Context, req PurgeRequest) (*purge, error) {
	p := &purge{s: pu, req: req}
	if err := pu.rewritten.IndexPurges(ctx); err != nil { // one that was killed may not have come to that
		return nil, err
	}
	r := cleanse.Rule{Drop: map[string]bool{}}
	var err error
	switch {
	case len(req.Revs) > 0:
		r.Drop, err = pu.dropped(ctx, req.Revs)
		p.subject = fmt.Sprintf("purge %d checkpoints", len(req.Revs))
		if len(req.Revs) == 1 {
			p.subject = "purge a checkpoint"
		}
	case req.Path != "":
		r.Path, r.Past, p.subject, err = req.Path, req.Past, "purge a file", contents.CheckPath(req.Path)
		r.Left = func(path string) string { return pu.left(ctx, path) }
		if err == nil && cleanse.Below(contents.Public(req.Path), rewritten.PurgedDir) {
			err = fmt.Errorf("%w '%s': it records purges and holds only ids", refname.ErrName, req.Path)
		}
	case req.Match != "":
		p.subject = "purge a text"
		if p.re, err = cleanse.CompilePurge(req.Match); err == nil {
			r.Match, r.Hint = cleanse.MatchRegexp(p.re), cleanse.HintOf(p.re)
		}
	case req.Foreign:
		r.Foreign, p.subject = true, "purge what is no memory"
	default:
		p.subject = "take over what was purged"
	}
	p.clean = pu.cleanse.NewCleaner(r)
	return p, err
}

// dropped are the commits that revs mean. One that is gone already is no error:
// what an interrupted purge left is removed then.
func (pu *Purger) dropped(ctx context.Context, revs []string) (map[string]bool, error) {
	drop := map[string]bool{}
	for _, rev := range revs {
		id, err := pu.commits.Resolve(ctx, rev)
		if errors.Is(err, rewritten.ErrPurged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r, err := pu.commits.CommitRecord(id)
		if err == nil && r.Kind == record.KindTombstone {
			err = fmt.Errorf("%w: '%s' is a tombstone", repo.ErrNotFound, rev)
		}
		if err != nil {
			return nil, err
		}
		drop[id] = true
	}
	return drop, nil
}

// Plan says what a purge would do. It changes nothing.
func (pu *Purger) Plan(ctx context.Context, req PurgeRequest) (PurgePlan, error) {
	ctx, cancel := context.WithTimeout(ctx, purgeTime)
	defer cancel()
	p, err := pu.newPurge(ctx, req)
	if err != nil {
		return PurgePlan{}, err
	}
	p.clean.Dry = true
	moves, err := p.moves(ctx)
	if err != nil {
		return PurgePlan{}, err
	}
	plan, err := p.plan(ctx, moves)
	if err != nil {
		return plan, err
	}
	if drop := p.clean.Rule.Drop; len(drop) > 0 {
		if plan.Quoted, plan.Quotes, err = quoted(ctx, pu, drop, plan.Touched); err != nil {
			return plan, err
		}
	}
	plan.Beside = len(p.beside())
	parts, err := p.cleanParts(ctx, part.Plan)
	plan.Conversations, plan.Waiting, plan.Unreachable = len(parts.Held), parts.Unread, p.beyond(parts.Beyond)
	if err != nil || len(moves) > 0 {
		return plan, err
	}
	left, err := p.doomed(ctx)
	plan.Unfinished = len(left.doomed) + p.inLogs() + p.inJournal() + len(p.temps())
	return plan, err
}

// inLogs counts the lines in logs of our refs that name what is purged: as long
// as they do they keep it.
func (p *purge) inLogs() (n int) {
	known := p.s.rewritten.Purges()
	for _, f := range p.s.LogFiles() {
		b, err := fsx.ReadOwn(f)
		if err != nil {
			continue
		}
		for l := range strings.Lines(string(b)) {
			if ids := strings.Fields(l); len(ids) > 1 && (known[ids[0]].Old() || known[ids[1]].Old()) {
				n++
			}
		}
	}
	return n
}

// Run takes what req says out of history for good. Killed anywhere it has lost
// nothing, and running it again finishes it: first everything is written that
// takes the place of what goes, then all refs move in one transaction, then what
// nobody needs any more is removed, and in the end every object that is left is
// searched.
func (pu *Purger) Run(ctx context.Context, req PurgeRequest) (Purged, error) {
	ctx, cancel := context.WithTimeout(ctx, purgeTime)
	defer cancel()
	if err := pu.repo.Enabled(); err != nil {
		return Purged{}, err
	}
	p, err := pu.newPurge(ctx, req)
	if err != nil {
		return Purged{}, err
	}
	l, err := pu.backup.LockUpkeep(ctx)
	if err != nil {
		return Purged{}, err
	}
	defer l.Unlock()
	if err := pu.history.NothingLost(ctx); err != nil {
		return Purged{}, err
	}
	done := pu.repo.Queue(ctx)
	err = p.rewriteRefs(ctx)
	done()
	if err != nil && len(p.moved) > 0 {
		return Purged{}, remedy.For(fmt.Errorf("purge: %w; history was rewritten", err), remedy.RunAgain.On("finish"))
	}
	if err != nil {
		return Purged{}, fmt.Errorf("purge: %w; nothing was removed", curable(err))
	}
	return p.finish(ctx)
}

// curable says what to type where a git could not read an object.
func curable(err error) error {
	if git.MetUnreadable(err) {
		return repo.Unsound(err)
	}
	return err
}

// rewriteRefs moves every ref to its clean history, and again what others moved
// meanwhile, until nothing is left to be moved.
func (p *purge) rewriteRefs(ctx context.Context) error {
	for try := 0; try < repo.MaxTries; try++ {
		moves, err := p.moves(ctx)
		if err != nil {
			return err
		}
		if len(moves) == 0 {
			return p.s.rewritten.IndexPurges(ctx)
		}
		if moves, err = p.record(ctx, moves); err != nil {
			return err
		}
		if err = p.keepOwn(ctx, moves); err != nil {
			return err
		}
		if err = p.s.onWhole(ctx, moves); err == nil {
			err = p.s.ledger.MoveBack(ctx, "sage: purge", moves...)
		}
		if errors.Is(err, journal.ErrMoved) {
			continue
		}
		if err != nil {
			return err
		}
		p.moved = append(p.moved, moves...)
		if err := p.s.rewritten.KeepPurges(p.recorded()); err != nil {
			return err
		}
	}
	return repo.ErrOutraced
}

// record writes everything that was made, and adds to the knowledge tree what
// became of what. That moves first: git moves the refs of a transaction one after the
// other, and where it is killed in between another purge can go by the record, but
// not by history that was rewritten.
func (p *purge) record(ctx context.Context, moves []journal.Move) ([]journal.Move, error) {
	if err := p.clean.Write(ctx); err != nil {
		return nil, err
	}
	if p.quiet {
		return moves, nil
	}
	if err := p.markPrivate(ctx, moves); err != nil {
		return nil, err
	}
	shared, private := p.halves()
	for _, half := range []struct {
		ref, dir string
		did      rewritten.Replacements
		marks    []string
	}{{refname.PrivateRef, rewritten.PrivatePurgedDir, private, p.privateMarks()}, {refname.KnowledgeRef, rewritten.PurgedDir, shared, nil}} {
		tip, err := p.s.repo.Tip(ctx, half.ref)
		if err != nil {
			return nil, err
		}
		on := tip
		at := slices.IndexFunc(moves, func(m journal.Move) bool { return m.Ref == half.ref })
		if at >= 0 {
			on = moves[at].New
			moves = slices.Delete(moves, at, at+1)
		}
		o, err := p.recordOn(ctx, on, half.dir, half.did, half.marks...)
		if err != nil {
			return nil, err
		}
		if o != tip {
			if err := p.s.ownership.Remake(o); err != nil {
				return nil, err
			}
			moves = append([]journal.Move{{Ref: half.ref, Old: tip, New: o}}, moves...)
		}
	}
	return moves, nil
}

// markPrivate marks what the refs that never leave reach before a purge moves them, and no others.
func (p *purge) markPrivate(ctx context.Context, moves []journal.Move) error {
	isPrivateLine := p.s.repo.Privacy()
	isPrivate := func(ref string) bool {
		if kept, ok := strings.CutPrefix(ref, refname.KeptPrefix); ok {
			_, name, _ := strings.Cut(kept, "/")
			ref = "refs/sage/" + name
		}
		l, ok := commits.LineOf(refname.Ref{Name: ref})
		return ref == refname.PrivateRef || ok && isPrivateLine(l.Of)
	}
	if !slices.ContainsFunc(moves, func(m journal.Move) bool { return isPrivate(m.Ref) }) {
		return nil
	}
	checkpoints, err := p.s.repo.PrivateCheckpoints(ctx)
	if err != nil {
		return err
	}
	refs, err := p.s.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix, refname.KnowledgeRef, refname.PrivateRef, refname.RemotePrefix, refname.KeptPrefix, backup.NotesRef)
	if err != nil {
		return err
	}
	var here, leaving []refname.Ref
	for _, r := range refs {
		if checkpoints[r.ID] != "" && !strings.HasPrefix(r.Name, refname.RemotePrefix) || isPrivate(r.Name) {
			here = append(here, r)
		} else {
			leaving = append(leaving, r)
		}
	}
	private, err := p.reached(ctx, here)
	if err != nil {
		return err
	}
	known, err := p.reached(ctx, leaving)
	if err != nil {
		return err
	}
	if p.private == nil {
		p.private = map[string]bool{}
	}
	for id := range private {
		if !known[id] {
			p.private[id] = true
		}
	}
	return nil
}

// reached are all objects that refs reach.
func (p *purge) reached(ctx context.Context, refs []refname.Ref) (map[string]bool, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	out, err := p.s.repo.Git.Feed(ctx, []byte(backup.IDLines(refs)), "rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--stdin")
	if err != nil {
		return nil, fmt.Errorf("list what is private: %w", err)
	}
	ids := map[string]bool{}
	for id := range strings.FieldsSeq(string(out)) {
		ids[strings.Clone(id)] = true
	}
	return ids, nil
}

// halves are what the purge did with what others may know of, and with the rest.
func (p *purge) halves() (shared, private rewritten.Replacements) {
	shared, private = rewritten.Replacements{}, rewritten.Replacements{}
	for old, x := range p.clean.Did {
		if p.private[old] {
			private[old] = x
		} else {
			shared[old] = x
		}
	}
	return shared, private
}

// recordFile is the name of the record of what a purge did.
func recordFile(did rewritten.Replacements) string {
	for _, id := range slices.Sorted(keysOf(did)) {
		return id
	}
	return ""
}

func (p *purge) recorded() rewritten.Replacements {
	f := rewritten.Replacements{}
	shared, private := p.halves()
	for _, did := range []rewritten.Replacements{shared, private} {
		file := recordFile(did)
		if p.quiet {
			file = ""
		}
		for old, x := range did {
			x.File = file
			f[old] = x
		}
	}
	return f
}

// privateMarks are those of the private items that the rule takes out by their paths, see
// [rewritten.Map.PrivateMark].
func (p *purge) privateMarks() (marks []string) {
	for path, all := range p.clean.Lay {
		if all && contents.IsPrivate(path) && contents.IsItemPath(path) {
			marks = append(marks, p.s.rewritten.PrivateMark(contents.Public(path)))
		}
	}
	return marks
}

// recordOn makes the commit that records what a purge did, on a tip of the knowledge tree, and
// leaves marks there.
func (p *purge) recordOn(ctx context.Context, tip, dir string, did rewritten.Replacements, marks ...string) (string, error) {
	files := map[string][]byte{}
	for _, mark := range marks {
		files[dir+"/"+mark] = []byte{}
	}
	if len(did) > 0 {
		name, all := dir+"/"+recordFile(did), rewritten.Replacements{}
		if tip != "" {
			if o, err := p.s.repo.Batch.Get(tip + ":" + name); err == nil {
				all.Parse(o.Data, "")
			}
		}
		for old, x := range did {
			all.Add(old, x)
		}
		files[name] = all.Encode()
	}
	if len(files) == 0 {
		return tip, nil
	}
	b := contents.TreeBuilder{S: p.s.contents}
	root, err := b.Build(tip+":", tip != "", files)
	if err != nil {
		return "", fmt.Errorf("record the purge: %w", err)
	}
	w := &ledger.Work{Kind: record.KindKnowledge, Now: p.s.repo.Options.Now()}
	w.Fill(ctx, p.s.ledger, true)
	c := record.Commit{Tree: root, Author: w.Author.Stamp(w.Now), Committer: w.Committer.Stamp(w.Now),
		Message: p.subject + fmt.Sprintf("\n\nSage-Format: %d\nSage-Kind: %s\n", record.PlainFormat(), record.KindKnowledge)}
	if tip != "" {
		c.Parents = []string{tip}
	}
	o := p.s.repo.Objects.New("commit", c.Encode())
	return o.ID, p.s.backup.Put(ctx, append(b.Objects, o)...)
}

// plan describes moves.
func (p *purge) plan(ctx context.Context, moves []journal.Move) (PurgePlan, error) {
	c := p.clean
	plan := PurgePlan{}
	for _, h := range c.Hits {
		plan.Touched = append(plan.Touched, PurgeItem{h.ID, h.Description, c.Did[h.ID].Gone})
	}
	for old := range c.Did {
		if _, isCommit := c.Commits[old]; isCommit {
			plan.Rewritten++
		} else {
			plan.Files++
		}
	}
	for _, m := range moves {
		plan.Refs = append(plan.Refs, m.Ref)
		if r, _, ok := strings.Cut(strings.TrimPrefix(m.Ref, refname.RemotePrefix), "/"); ok && strings.HasPrefix(m.Ref, refname.RemotePrefix) && !slices.Contains(plan.Remotes, r) {
			plan.Remotes = append(plan.Remotes, r)
		}
	}
	slices.Sort(plan.Refs)
	slices.Sort(plan.Remotes)
	all, err := p.s.repo.Remotes(ctx)
	if err != nil {
		return plan, err
	}
	plan.Others = slices.DeleteFunc(all, func(r string) bool { return slices.Contains(plan.Remotes, r) })
	if plan.Living, err = p.living(moves); err != nil {
		return plan, err
	}
	return plan, ctx.Err()
}

// PurgeOf is what takes a file out of the knowledge tree; nil for one whose name a shell may
// take for something else.
func PurgeOf(file string) []remedy.Remedy {
	for _, part := range strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/") {
		if refname.CheckName(part) != nil {
			return nil
		}
	}
	return []remedy.Remedy{remedy.PurgePath.On(file)}
}
