package admission

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A Verifier makes sure that history consists of memory alone, before a ref of ours
// reaches it and before a push carries it off. Whoever sends a checkpoint can name any
// object of this repository in it, as a parent, a folder or a file, without having it:
// git asks only that the object is here. Taken in, the next push would hand it over.
//
// So every commit is to be of a kind that FORMAT.md names, behind it commits of the same
// sort; the tree of a checkpoint or tombstone has its one file; the knowledge tree has
// files and folders at the places where they belong; every file reads as what lies there,
// see [ReadsAs]; and nothing of it may be reached by what is the user's own, see
// [verifier.private].
//
// Every commit is judged once. Of the knowledge tree only folders are read that differ
// from those of the commit's parents.
type Verifier struct {
	s        *Gate
	ctx      context.Context
	Until    time.Time                 // when judging ends
	LongFrom int                       // from how many commits on history is read ahead
	all      bool                      // our own is judged, by its places alone: see fsck for what lies there
	Accepted map[string]bool           // commits that our own refs reach: they are not judged again
	Verdicts map[string]error          // of a commit and all behind it, or of what a record names; nil is memory
	judged   map[string]judged         // the commits that were read
	told     map[string]*record.Record // what the messages of those tell that are still to be judged, of as many as are kept
	brings   map[string]bool           // what was not reached before: commits and files
	odd      map[string]string         // of these files those that do not read as what they should be, with their path
	sound    map[[2]string]bool        // folders that hold nothing else, by what for and id
	trees    map[string][]byte         // sound ones that were read last, by id
	kept     int                       // bytes of these
	shallow  []byte                    // where a shallow clone ends; nil before it is asked
	behind   []string                  // commits behind which nothing is judged
	tips     []string                  // that were judged; the last one is
	asked    int                       // commits for it, one by one
	ahead    ahead                     // what is needed next
	promised map[string]bool           // the commits that the remote of a partial clone has, see leftOut; nil before it is asked
}

// What bounds the history that is judged at a time.
const (
	maxJudged  = 1_000_000 // commits
	verifyTime = 10 * time.Minute
	keptTrees  = 4 << 20   // bytes of trees that are remembered
	maxCommit  = 256 << 10 // bytes of one: every list reads it, and ours have some 3 KB, a signature counted
	maxParents = 1000      // of one: joins have as many as there are clones that went on
	keptTold   = 10_000    // messages, of some 600 bytes each; behind so many they are read again
)

// What says that history is longer than anybody's who writes with git-sage.
var (
	errTooMuch = fmt.Errorf("it has more than %d commits", maxJudged)
	ErrTooLong = fmt.Errorf("it cannot be checked within %s", verifyTime)
)

// Verifier returns one that takes what our own refs reach for granted, or, if all is to
// be judged, nothing.
func (g *Gate) Verifier(ctx context.Context, all bool) (*Verifier, error) {
	v := &Verifier{s: g, ctx: ctx, Until: time.Now().Add(verifyTime), LongFrom: aheadFrom, all: all, Accepted: map[string]bool{}, Verdicts: map[string]error{}, judged: map[string]judged{}, told: map[string]*record.Record{},
		brings: map[string]bool{}, odd: map[string]string{}, sound: map[[2]string]bool{}, trees: map[string][]byte{}}
	if all {
		return v, nil
	}
	own, err := g.memoryRefs(ctx)
	if err != nil || len(own) == 0 {
		return v, err
	}
	commits, err := g.repo.Git.Feed(ctx, []byte(backup.IDLines(own)), "rev-list", "--ignore-missing", "--stdin")
	if err != nil {
		return nil, fmt.Errorf("list local objects: %w", err)
	}
	for id := range strings.FieldsSeq(string(commits)) {
		v.Accepted[id] = true
	}
	for _, r := range own {
		v.behind = append(v.behind, r.ID)
	}
	return v, nil
}

// Leaving returns one that judges what a push of tips carries off to a remote that has what
// some ids reach, and nothing behind that. met says that all ways from the tips end there, so
// that git need not be asked where.
func (g *Gate) Leaving(ctx context.Context, tips, has []string, met bool) (*Verifier, error) {
	v, err := g.Verifier(ctx, true)
	if err != nil || len(has) == 0 {
		return v, err
	}
	v.behind = has
	for _, id := range has {
		v.Accepted[id] = true
	}
	if met {
		return v, nil
	}
	in := strings.Join(tips, "\n") + "\n^" + strings.Join(has, "\n^") + "\n"
	out, err := g.repo.Git.Feed(ctx, []byte(in), "rev-list", "--ignore-missing", "--boundary", "--stdin")
	if err != nil {
		return nil, fmt.Errorf("list what is to be pushed: %w", err)
	}
	for l := range strings.Lines(string(out)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(l), "-"); ok {
			v.Accepted[id] = true
		}
	}
	return v, nil
}

// memoryRefs are our own refs, whose history a push carries off.
func (g *Gate) memoryRefs(ctx context.Context) ([]refname.Ref, error) {
	return g.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix, refname.KnowledgeRef)
}

// A judged is a commit as far as it counts.
type judged struct {
	id, tree string
	kind     record.Kind
	parents  []string
}

// Verdict says why a commit, or what lies behind it, is not taken in; nil is memory.
func (v *Verifier) Verdict(tip string) error {
	if v.settled(tip) {
		return v.Verdicts[tip]
	}
	v.tips, v.asked = append(v.tips, tip), 0
	order, err := v.unsettled(tip)
	if err != nil {
		return err
	}
	v.readAhead(order)
	defer v.ahead.end()
	for _, id := range order {
		if err := v.bounded(); err != nil {
			return err
		}
		v.ahead.advance()
		v.Verdicts[id] = v.judge(v.judged[id])
	}
	return v.Verdicts[tip]
}

// unsettled are the commits from tip on that are still to be judged, parents first.
func (v *Verifier) unsettled(tip string) (order []string, err error) {
	type step struct {
		judged
		next int // which of the parents comes next
	}
	var todo []step
	seen := map[string]bool{}
	begin := func(id string) {
		if seen[id] || v.settled(id) {
			return
		}
		seen[id] = true
		j, err := v.read(id)
		if err != nil { // what lies behind it is not looked at
			v.Verdicts[id] = err
			return
		}
		todo = append(todo, step{judged: j})
	}
	for begin(tip); len(todo) > 0; {
		at := &todo[len(todo)-1]
		if err := v.bounded(); err != nil {
			return nil, err
		}
		if at.next < len(at.parents) {
			at.next++
			begin(at.parents[at.next-1])
			continue
		}
		order = append(order, at.id)
		todo = todo[:len(todo)-1]
	}
	return order, nil
}

// bounded returns an error if judging has to end.
func (v *Verifier) bounded() error {
	switch {
	case v.ctx.Err() != nil:
		return v.ctx.Err()
	case len(v.judged) > maxJudged:
		return errTooMuch
	case time.Now().After(v.Until):
		return ErrTooLong
	}
	return nil
}

// Brings are the commits behind tips that were judged, for our own refs did not reach them.
func (v *Verifier) Brings(tips []string) (ids []string) {
	seen := map[string]bool{}
	for todo := slices.Clone(tips); len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if j, known := v.judged[id]; known && !seen[id] && !v.Accepted[id] {
			seen[id], ids = true, append(ids, id)
			todo = append(todo, j.parents...)
		}
	}
	return ids
}

// JudgeAll judges tips, and states of the knowledge with what their records of purges put
// in the place of something; what is not here is in the place of nothing. It is an error
// if that could not be done; what came of it is for verdict to say.
func (v *Verifier) JudgeAll(tips []string, records map[string]rewritten.Replacements) error {
	for _, id := range tips {
		_ = v.Verdict(id)
	}
	stands := map[string][]string{} // by what a record puts somewhere: the tips that have it
	for tip, f := range records {
		if v.Verdict(tip) != nil {
			continue
		}
		for _, x := range f {
			for _, id := range slices.Concat(x.Now, x.Conflicts) {
				if !slices.Contains(stands[id], tip) {
					stands[id] = append(stands[id], tip)
				}
			}
		}
	}
	if err := v.named(slices.Sorted(maps.Keys(stands))); err != nil {
		return err
	}
	if err := v.private(); err != nil {
		return err
	}
	for id, tips := range stands {
		for _, tip := range tips {
			if err := v.Verdicts[id]; err != nil && v.Verdicts[tip] == nil {
				v.Verdicts[tip] = fmt.Errorf("a record of a purge: %w", err)
			}
		}
	}
	return v.ctx.Err()
}

// named judges what records of purges name: a commit, or a file of any sort.
func (v *Verifier) named(ids []string) error {
	return v.s.backup.EachKind(v.ctx, ids, func(id, typ string) {
		switch typ {
		case "commit":
			_ = v.Verdict(id)
		case "blob":
			if err := v.file("", id, ""); err != nil {
				v.Verdicts[id] = err
			}
		default:
			v.Verdicts[id] = fmt.Errorf("%s is a %s, neither a checkpoint nor a file", record.Short(id), typ)
		}
	})
}

// Strange are the ids that records put in the place of something and that are no memory.
// What our own refs reach is.
func (g *Gate) Strange(ctx context.Context, f rewritten.Replacements) (map[string]bool, error) {
	ids := map[string]bool{}
	for _, x := range f {
		for _, id := range slices.Concat(x.Now, x.Conflicts) {
			ids[id] = true
		}
	}
	v, err := g.Verifier(ctx, false)
	if err == nil {
		err = v.reached(ids)
	}
	if err == nil {
		err = v.named(slices.Sorted(maps.Keys(ids)))
	}
	if err == nil {
		err = v.private()
	}
	maps.DeleteFunc(ids, func(id string, _ bool) bool { return v.Verdicts[id] == nil })
	return ids, err
}

func (v *Verifier) settled(id string) bool {
	_, known := v.Verdicts[id]
	return known || v.Accepted[id]
}

// read reads a commit. It is an error unless it is one of memory, of a format that this
// version knows.
func (v *Verifier) read(id string) (judged, error) {
	if j, ok := v.judged[id]; ok {
		return j, nil
	}
	if v.asked++; v.asked == v.LongFrom {
		v.readCommits()
		if j, ok := v.judged[id]; ok {
			return j, nil
		}
	}
	o, err := v.object(id)
	if err != nil {
		return judged{}, fmt.Errorf("%s cannot be read: %w", record.Short(id), cmp.Or(v.s.repo.NotFetched("it"), err))
	}
	return v.parse(id, o)
}

// parse is read of a commit that lies there as o.
func (v *Verifier) parse(id string, o git.Object) (judged, error) {
	r := record.Record{ID: id}
	switch {
	case o.Type != "commit":
		return judged{}, fmt.Errorf("%s is a %s, not a checkpoint", record.Short(id), o.Type)
	case len(o.Data) > maxCommit && !v.all:
		return judged{}, fmt.Errorf("%s has %d bytes, more than the limit of %d for a commit", record.Short(id), len(o.Data), maxCommit)
	case !v.s.isSoundHead(o.Data):
		return judged{}, fmt.Errorf("%s has a header that git would not write", record.Short(id))
	case !r.ParseCommit(o.Data):
		return judged{}, fmt.Errorf("%s is not a checkpoint", record.Short(id))
	case record.IsNewer(o.Data):
		return judged{}, &record.NewerError{ID: id}
	case !record.IsKind(r.Kind):
		return judged{}, fmt.Errorf("%s is a '%s', which is unknown to this version", record.Short(id), legible.OneLine(string(r.Kind)))
	}
	if len(r.Parents) > maxParents && !v.all {
		return judged{}, fmt.Errorf("%s has %d parents, more than the limit of %d", record.Short(id), len(r.Parents), maxParents)
	}
	j := judged{id: id, tree: gittree.Of(o.Data), kind: record.Kind(strings.Clone(string(r.Kind))), parents: slices.Clone(r.Parents)}
	for i, p := range j.parents {
		j.parents[i] = strings.Clone(p) // else all of the message is kept
	}
	if n := len(r.Removes) + len(r.Restores); r.Kind == record.KindTombstone && (n == 0 || n > MaxRemoved) {
		return j, fmt.Errorf("%s is a tombstone that lists no checkpoints, or too many", record.Short(id))
	}
	if v.ends(id) { // a parent that is here all the same may be anything
		j.parents = slices.DeleteFunc(j.parents, func(p string) bool { _, err := v.s.repo.Object(p); return err != nil })
	}
	v.judged[id] = j
	if !v.all && j.kind != record.KindKnowledge && len(v.told) < keptTold {
		v.told[id] = &r
	}
	return j, nil
}

// isSoundHead reports whether the header of a commit says once what it says: its tree, then
// its parents, the author and the committer. Git stops to read at the first that is
// none of these, others may read on, and of two trees take the other.
func (g *Gate) isSoundHead(data []byte) bool {
	head, _, _ := bytes.Cut(data, []byte("\n\n"))
	var last int // which of the keys came last
	for i, l := range strings.Split(string(head), "\n") {
		key, value, _ := strings.Cut(l, " ")
		at := slices.Index(headKeys, key)
		switch {
		case at < 0 && last == len(headKeys)-1: // gpgsig, encoding and so on
		case at < 0, i == 0 && at != 0, i > 0 && at < last, at == last && i > 0 && key != "parent", at > last+1 && headKeys[last+1] != "parent":
			return false
		case at < 2 && (!g.repo.IsID(value) || value != strings.ToLower(value)):
			return false
		}
		last = max(last, at)
	}
	return last == len(headKeys)-1
}

var headKeys = []string{"tree", "parent", "author", "committer"}

// ends reports whether history was cut off on purpose behind a commit.
func (v *Verifier) ends(id string) bool {
	if v.shallow == nil {
		v.shallow = v.s.repo.Shallow()
	}
	return bytes.Contains(v.shallow, []byte(id))
}

// judge says what is wrong with a commit whose parents are judged.
func (v *Verifier) judge(j judged) error {
	var bases []string
	for _, p := range j.parents {
		if err := v.Verdicts[p]; err != nil {
			return err
		}
		b, err := v.read(p)
		if err != nil {
			return err
		}
		if (b.kind == record.KindKnowledge) != (j.kind == record.KindKnowledge) {
			return fmt.Errorf("%s continues %s, which is a '%s'", record.Short(j.id), record.Short(p), b.kind)
		}
		bases = append(bases, b.tree)
	}
	v.brings[j.id] = true
	switch j.kind {
	case record.KindKnowledge:
		if err := v.folder(j, j.tree, "", bases); err != nil {
			return fmt.Errorf("knowledge of %s: %w", record.Short(j.id), err)
		}
		return nil
	case record.KindTombstone:
		text, err := v.only(j, "tombstone.yaml")
		if err != nil || text == nil {
			return err
		}
		return v.agrees(j, func(r *record.Record) error { return MismatchTombstone(r, text) })
	}
	text, err := v.only(j, "checkpoint.md")
	if err != nil || text == nil {
		return err
	}
	c, err := codec.Parse(text)
	if err != nil {
		return fmt.Errorf("the text of %s cannot be read: %w", record.Short(j.id), err)
	}
	return v.agrees(j, func(r *record.Record) error { return Mismatch(r, c) })
}

// agrees compares the message of a commit with the text that it holds. What is here
// already is for fsck to compare.
func (v *Verifier) agrees(j judged, compare func(r *record.Record) error) error {
	if v.all {
		return nil
	}
	r, ok := v.told[j.id]
	if delete(v.told, j.id); !ok {
		o, err := v.object(j.id)
		if err != nil {
			return fmt.Errorf("%s cannot be read: %w", record.Short(j.id), err)
		}
		r = &record.Record{ID: j.id}
		r.ParseCommit(o.Data)
	}
	err := compare(r)
	var m *mismatchError
	if errors.As(err, &m) {
		return remedy.For(fmt.Errorf("%w; none of its descendants is merged until it is purged there", err), remedy.PurgeForeignThere.On())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", record.Short(j.id), err)
	}
	return nil
}

// IsLeftOut reports whether an object cannot be read because this clone is a partial one and
// left it out.
func (g *Gate) IsLeftOut(err error) bool {
	return g.repo.Promisor() != "" && git.MetLeftOut(err)
}

// leftOut returns an error unless a file that a partial clone left out is one of the remote
// that this clone is of: its commit came from there. A push asks that remote for what is
// not here, so that any other could name a file of it and be given that.
func (v *Verifier) leftOut(commit, id string) error {
	if v.all {
		return nil
	}
	remotes := v.s.repo.Promisors()
	if v.promised == nil {
		v.promised = map[string]bool{}
		if len(remotes) == 1 {
			tips, err := v.s.repo.Refs(v.ctx, refname.RemotePrefix+remotes[0]+"/")
			if err != nil {
				return err
			}
			if len(tips) > 0 {
				out, err := v.s.repo.Git.Feed(v.ctx, []byte(backup.IDLines(tips)), "rev-list", "--ignore-missing", "--missing=allow-any", "--stdin")
				if err != nil {
					return fmt.Errorf("list what '%s' has: %w", remotes[0], err)
				}
				for id := range strings.FieldsSeq(string(out)) {
					v.promised[id] = true
				}
			}
		}
	}
	if v.promised[commit] {
		return nil
	}
	why := fmt.Sprintf("%s is missing, and this partial clone may leave out only what '%s' has", record.Short(id), strings.Join(remotes, "' or '"))
	return &repo.NotFetchedError{Why: why, Command: v.s.repo.RefetchCommand(remotes[0])}
}

// only reads the one file that a commit holds; nil is left out of a partial clone.
func (v *Verifier) only(j judged, name string) ([]byte, error) {
	tree, err := v.soundTree(j.tree)
	if err != nil {
		return nil, fmt.Errorf("the folder of %s %w", record.Short(j.id), err)
	}
	entries := gittree.Parse(tree, v.s.repo.IDSize())
	for _, e := range entries {
		switch {
		case e.Name != name:
			return nil, fmt.Errorf("%s holds '%s', but a %s has only %s", record.Short(j.id), legible.OneLine(e.Name), j.kind, name)
		case e.Mode != gittree.ModeFile:
			return nil, fmt.Errorf("%s holds '%s' with mode %s, not %s", record.Short(j.id), name, legible.OneLine(e.Mode), gittree.ModeFile)
		}
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s has no %s", record.Short(j.id), name)
	}
	text, err := v.text(j.id, entries[0].ID, name)
	if err != nil {
		return nil, fmt.Errorf("the text of %s cannot be read: %w", record.Short(j.id), err)
	}
	return text, nil
}

// file notes a file that a commit brings, "" for a record, and whether it is odd for its
// path, "" for any. It is an error if it is none.
func (v *Verifier) file(commit, id, path string) error {
	if v.all {
		v.brings[id] = true
		return nil
	}
	_, err := v.text(commit, id, path)
	return err
}

// text is file that reads it in any case; nil is left out of a partial clone.
func (v *Verifier) text(commit, id, path string) ([]byte, error) {
	v.brings[id] = true
	o, err := v.object(id)
	switch {
	case v.s.IsLeftOut(err):
		return nil, v.leftOut(commit, id)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", record.Short(id), err)
	case o.Type != "blob":
		return nil, fmt.Errorf("%s is a %s, not a file", record.Short(id), o.Type)
	case !v.all && !ReadsAs(path, o.Data):
		v.odd[id] = path
	}
	if o.Data == nil {
		return []byte{}, nil
	}
	return o.Data, nil
}

// folder checks a folder of the knowledge tree and all that is below and in none of bases,
// which are what lies at the same place in the parents.
func (v *Verifier) folder(j judged, id, dir string, bases []string) error {
	role := RoleOf(dir)
	if slices.Contains(bases, id) || v.sound[[2]string{role, id}] {
		return nil
	}
	tree, err := v.soundTree(id)
	if err != nil {
		return fmt.Errorf("the folder '/%s' %w", legible.OneLine(dir), err)
	}
	var before [][]byte
	for _, b := range bases {
		if t, err := v.soundTree(b); err == nil {
			before = append(before, t)
		}
	}
	gittree.Changed(tree, before, v.s.repo.IDSize(), func(raw gittree.Raw, same [][]byte) bool {
		e := raw.Entry()
		switch {
		case !MayHold(role, e):
			err = &PlaceError{dir + e.Name, e.Mode}
		case e.Mode == gittree.ModeDir:
			var below []string
			for _, id := range same {
				below = append(below, hex.EncodeToString(id))
			}
			err = v.folder(j, e.ID, dir+e.Name+"/", below)
		default:
			if err = v.file(j.id, e.ID, dir+e.Name); err != nil {
				err = fmt.Errorf("'%s' cannot be read: %w", legible.OneLine(dir+e.Name), err)
			}
		}
		return err == nil
	})
	if err != nil {
		return err
	}
	v.sound[[2]string{role, id}] = true
	return nil
}

// A PlaceError says that something of the knowledge tree lies where nothing of ours does.
type PlaceError struct{ path, mode string }

func (e *PlaceError) Error() string {
	return fmt.Sprintf("'%s' has a name or mode (%s) that is not allowed there", legible.OneLine(e.path), legible.OneLine(e.mode))
}

// RoleOf is what a folder of the knowledge tree is for: its path, with * for names that
// somebody chose.
func RoleOf(dir string) string {
	switch parts := strings.Split(dir, "/"); {
	case len(parts) == 3 && (parts[0] == contents.ItemsDir || parts[0] == contents.SkillsDir):
		return parts[0] + "/*/"
	default:
		return dir
	}
}

// MayHold reports whether a folder with this role may have an entry, by FORMAT.md.
func MayHold(role string, e gittree.Entry) bool {
	if e.Mode == gittree.ModeDir {
		switch role {
		case "":
			return slices.Contains([]string{contents.ItemsDir, contents.SystemDir, contents.SkillsDir, contents.TemplatesDir, contents.LinesDir, rewritten.PurgedDir}, e.Name)
		case contents.ItemsDir + "/":
			return len(e.Name) == 2 && record.IsHex(e.Name)
		case contents.SkillsDir + "/":
			return refname.CheckName(e.Name) == nil
		}
		return false
	}
	if e.Mode != gittree.ModeFile {
		return false
	}
	switch role {
	case "":
		return IsNamed(e.Name, ".yaml") && (strings.HasPrefix(e.Name, "core") || strings.HasPrefix(e.Name, "format"))
	case contents.ItemsDir + "/*/", contents.SystemDir + "/", contents.SkillsDir + "/", contents.SkillsDir + "/*/":
		return IsNamed(e.Name, ".md")
	case contents.TemplatesDir + "/", contents.LinesDir + "/":
		return IsNamed(e.Name, ".yaml")
	case rewritten.PurgedDir + "/":
		return rewritten.IsID(e.Name)
	}
	return false
}

// IsNamed reports whether a file is called by a name of our grammar and an extension.
func IsNamed(file, ext string) bool {
	stem, ok := strings.CutSuffix(file, ext)
	return ok && refname.CheckName(stem) == nil
}

// soundTree is that of the store as it lies there, of which what was read last is remembered.
func (v *Verifier) soundTree(id string) ([]byte, error) {
	if tree, ok := v.trees[id]; ok {
		return tree, nil
	}
	o, err := v.object(id)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cmp.Or(v.s.repo.NotFetched("it"), repo.Unsound(err)))
	}
	if err := contents.Sound(o, v.s.repo.IDSize()); err != nil {
		return nil, err
	}
	if v.kept += len(o.Data); v.kept > keptTrees {
		clear(v.trees)
		v.kept = len(o.Data)
	}
	v.trees[id] = o.Data
	return o.Data, nil
}

// Admit returns an error unless our own refs reach a checkpoint that one of them is to
// continue, or it is memory and may be taken in. One that was fetched can be named before
// it was merged.
func (g *Gate) Admit(ctx context.Context, id, tip string) error {
	if id == tip || tip != "" && g.history.CommitGraph(ctx).Near(id, tip) {
		return nil
	}
	out, err := g.repo.Git.Run(ctx, "for-each-ref", "--count=1", "--contains="+id, refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix)
	if err != nil || len(out) > 0 {
		return err
	}
	v, err := g.Verifier(ctx, false)
	if err != nil {
		return err
	}
	_ = v.Verdict(id)
	if err := v.private(); err != nil {
		return err
	}
	if err := v.Verdicts[id]; err != nil {
		return fmt.Errorf("refused %s from elsewhere: %w", record.Short(id), err)
	}
	return nil
}

// MayLeave returns an error unless a push of tip carries off memory and nothing else.
func (v *Verifier) MayLeave(tip string) error {
	err := v.Verdict(tip)
	switch {
	case errors.Is(err, git.ErrEnded): // that says nothing of what it holds
		return remedy.For(fmt.Errorf("not pushed: %w", err), remedy.Check.On())
	case err != nil:
		return remedy.For(fmt.Errorf("not pushed: it holds something that is not memory: %w", err), remedy.PurgeForeign.On())
	}
	return nil
}

// MaxRemoved bounds the ids of one tombstone, and so the size of its message.
const MaxRemoved = 100
