package rewritten

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/internal/lists"
)

// ErrPurged says that a checkpoint was taken out of history for good.
var ErrPurged = errors.New("checkpoint was purged")

// PurgedDir is where the knowledge tree says what purges did, one file for each.
const PurgedDir = "purged"

// PrivatePurgedDir is where the private knowledge says the same of what never left: who can guess
// a short text can test the guess with its id.
const PrivatePurgedDir = "private/" + PurgedDir

// PrivateMark is the name of an empty file in [PrivatePurgedDir]: what lay at a path of the
// knowledge was private. A purge of the private file alone would let forget that, and so would an
// item that is saved at the path, once who removed the private one no longer thinks of it.
func (m *Map) PrivateMark(path string) string { return m.repo.Objects.New("blob", []byte(path)).ID }

// PrivateMarks are those that purges and removals left.
func (m *Map) PrivateMarks(ctx context.Context) (map[string]bool, error) {
	marks := map[string]bool{}
	err := m.eachRecordIn(ctx, refname.PrivateRef+":"+PrivatePurgedDir, func(b []byte, file string) error {
		if len(b) == 0 {
			marks[file] = true
		}
		return nil
	})
	return marks, err
}

// A Replacement is what a purge made of a commit or a file.
type Replacement struct {
	Now       []string // what took its place: one id, or of a commit that is gone what it continued
	Gone      bool
	File      string   // of purged/ in the knowledge tree, which says so
	Conflicts []string // what other purges made of it, that did not know of this one
}

// Old reports whether anything took the place of the id.
func (x Replacement) Old() bool { return x.Gone || len(x.Now) > 0 }

// Replacements are those of old ids. They hold ids only: what was purged is in none.
type Replacements map[string]Replacement

// Add takes in what a record says. Of two records that differ, "gone" counts,
// else the lesser id, so that all clones that have both agree; the other becomes a
// conflict.
func (f Replacements) Add(old string, x Replacement) {
	was, ok := f[old]
	if !ok {
		f[old] = x
		return
	}
	if x.Gone && !was.Gone || x.Gone == was.Gone && slices.Compare(x.Now, was.Now) < 0 {
		x, was = was, x
	}
	was.Conflicts = lists.SortedUnion(was.Conflicts, x.Conflicts)
	if !x.Gone && !slices.Equal(x.Now, was.Now) {
		was.Conflicts = lists.SortedUnion(was.Conflicts, x.Now)
	}
	f[old] = was
}

// Says reports whether f says of an id what x says.
func (f Replacements) Says(old string, x Replacement) bool {
	was := f[old]
	all := Replacements{old: was}
	all.Add(old, x)
	now := all[old]
	return was.Old() && was.Gone == now.Gone && slices.Equal(was.Now, now.Now) && slices.Equal(was.Conflicts, now.Conflicts)
}

// Parse adds the lines of a record: "<old> <new>", or "<old> - <parent>..." for
// what is gone. Lines of another form are of a later version, and no reason to stop.
func (f Replacements) Parse(b []byte, file string) {
	for line := range bytes.Lines(b) {
		ids := strings.Fields(string(line))
		if len(ids) == 2 && ids[0] == "#" {
			file = ids[1]
		}
		if len(ids) < 2 || !IsID(ids[0]) {
			continue
		}
		x := Replacement{Now: ids[1:2], File: file}
		if ids[1] == "-" {
			x.Now, x.Gone = ids[2:], true
		}
		if !slices.ContainsFunc(x.Now, func(id string) bool { return !IsID(id) }) {
			f.Add(ids[0], x)
		}
	}
}

func IsID(s string) bool { return (len(s) == 40 || len(s) == 64) && record.IsHex(s) }

// Encode is the record of f, by old id. In the index a line "# <record>" comes
// before what that record says.
func (f Replacements) Encode() []byte {
	var b bytes.Buffer
	ids := slices.SortedFunc(maps.Keys(f), func(x, y string) int {
		return cmp.Or(strings.Compare(f[x].File, f[y].File), strings.Compare(x, y))
	})
	file := ""
	for _, old := range ids {
		x := f[old]
		if x.File != file {
			file = x.File
			b.WriteString("# " + file + "\n")
		}
		b.WriteString(old)
		if x.Gone {
			b.WriteString(" -")
		}
		for _, id := range x.Now {
			b.WriteString(" " + id)
		}
		b.WriteByte('\n')
		for _, id := range x.Conflicts {
			b.WriteString(old + " " + id + "\n")
		}
	}
	return b.Bytes()
}

// Follow is what became of id in the end. An id that nothing befell is itself; of
// one that is gone it is what that continued, or "".
func (f Replacements) Follow(id string) (now string, gone bool) {
	for range len(f) { // records that go in a circle end somewhere
		x, ok := f[id]
		if !ok {
			break
		}
		gone = gone || x.Gone
		if len(x.Now) == 0 {
			return "", gone
		}
		id = x.Now[0]
	}
	return id, gone
}

// A purgeIndex is the index file as it was last read.
type purgeIndex struct {
	stamp fs.FileInfo
	fates Replacements
}

func (m *Map) PurgeIndexFile() string { return m.repo.Dir("purged") }

// Purges is what all purges that are known here did. It lies beside git in one
// file, so that where nothing was ever purged a look costs one system call.
func (m *Map) Purges() Replacements {
	st, err := fsx.Lstat(m.PurgeIndexFile())
	if err != nil {
		return nil
	}
	m.purgeMu.Lock()
	defer m.purgeMu.Unlock()
	if known := m.purgeIndex.stamp; known != nil && SameFile(known, st) {
		return m.purgeIndex.fates
	}
	b, err := fsx.ReadOwn(m.PurgeIndexFile())
	if err != nil {
		return nil
	}
	f := Replacements{}
	f.Parse(b, "")
	m.purgeIndex = purgeIndex{st, f}
	return f
}

func SameFile(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && fsx.Inode(a) == fsx.Inode(b)
}

// Purged says what purges made of id: itself if they left it alone. Every id that
// comes from anywhere but git's history goes through it. gone says that the
// checkpoint left history; now is then what it continued, or "".
func (m *Map) Purged(id string) (now string, gone bool) { return m.Purges().Follow(id) }

// StandIn is what a session that saw id continues.
func (m *Map) StandIn(id string) string {
	now, _ := m.Purged(id)
	return now
}

// What bounds the records of others that are looked at: each line costs a look whether
// its object is here, and those of one id are brought together two by two.
const (
	maxRecords  = 100_000        // lines of all records in a tree: purges of 50,000 checkpoints
	maxFates    = 100            // lines of one id, of purges that did not know of one another
	maxFollowed = 4 * maxRecords // lines that are followed where each id is followed to its end
)

// OthersRecords is PurgeRecords of what was fetched.
func (m *Map) OthersRecords(ctx context.Context, knowledge string) (Replacements, error) {
	sum, said := 0, map[string]int{}
	err := m.eachRecord(ctx, knowledge, func(b []byte, _ string) error {
		if sum += bytes.Count(b, []byte("\n")); sum > maxRecords {
			return fmt.Errorf("its records of purges have more than %d lines", maxRecords)
		}
		for line := range bytes.Lines(b) {
			id, _, _ := bytes.Cut(line, []byte(" "))
			if said[string(id)]++; said[string(id)] > maxFates {
				return fmt.Errorf("its records of purges have more than %d entries for %s", maxFates, record.Short(string(id)))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f, err := m.PurgeRecords(ctx, knowledge)
	if err == nil && !f.isShort() {
		return nil, errors.New("its records of purges form too long a chain")
	}
	return f, err
}

// isShort reports whether all ids can be followed to their ends: chains and circles of
// many lines take the square of their length.
func (f Replacements) isShort() bool {
	left, seen := maxFollowed, map[string]string{} // by id: from which it was reached last
	for id := range f {
		for todo := []string{id}; len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			x, ok := f[at]
			if !ok || seen[at] == id {
				continue
			}
			seen[at] = id
			if left -= 1 + len(x.Now) + len(x.Conflicts); left < 0 {
				return false
			}
			todo = append(append(todo, x.Now...), x.Conflicts...)
		}
	}
	return true
}

// PurgeRecords reads what the knowledge tree at a commit says of purges.
func (m *Map) PurgeRecords(ctx context.Context, knowledge string) (Replacements, error) {
	f := Replacements{}
	err := m.eachRecord(ctx, knowledge, func(b []byte, file string) error {
		f.Parse(b, file)
		return nil
	})
	return f, err
}

// PrivateRecords reads what purges did with what is private.
func (m *Map) PrivateRecords(ctx context.Context) (Replacements, error) {
	f := Replacements{}
	err := m.eachRecordIn(ctx, refname.PrivateRef+":"+PrivatePurgedDir, func(b []byte, file string) error {
		f.Parse(b, file)
		return nil
	})
	return f, err
}

// eachRecord calls fn with each record in the knowledge tree at a commit, "" for none.
func (m *Map) eachRecord(ctx context.Context, knowledge string, fn func(b []byte, file string) error) error {
	if knowledge == "" {
		return nil
	}
	return m.eachRecordIn(ctx, knowledge+":"+PurgedDir, fn)
}

func (m *Map) eachRecordIn(ctx context.Context, dir string, fn func(b []byte, file string) error) error {
	o, err := m.repo.Batch.Get(dir)
	if errors.Is(err, git.ErrMissing) {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("read the records of purges: %w", err)
	}
	for _, e := range gittree.Parse(o.Data, m.repo.IDSize()) {
		if e.Mode != gittree.ModeFile {
			continue
		}
		b, err := m.repo.Batch.Get(e.ID)
		if err != nil {
			return fmt.Errorf("read the records of purges: %w", err)
		}
		if err := fn(b.Data, e.Name); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// IndexPurges brings the index up to date with the knowledge tree. Whoever moves
// refs/sage/knowledge to a tree that has further records calls it.
func (m *Map) IndexPurges(ctx context.Context) error {
	tip, err := m.repo.Tip(ctx, refname.KnowledgeRef)
	if err != nil {
		return err
	}
	f, err := m.PurgeRecords(ctx, tip)
	if err != nil {
		return err
	}
	private, err := m.PrivateRecords(ctx)
	if f.AddAll(private); err != nil || len(f) == 0 {
		return err
	}
	return m.KeepPurges(f)
}

// LearnPurges is IndexPurges, and reports whether there was anything to learn.
func (m *Map) LearnPurges(ctx context.Context) bool {
	before := m.Purges().Encode()
	return m.IndexPurges(ctx) == nil && !bytes.Equal(before, m.Purges().Encode())
}

// KeepPurges adds to the index. What is known stays known.
func (m *Map) KeepPurges(f Replacements) error {
	all := maps.Clone(m.Purges())
	if all == nil {
		all = Replacements{}
	}
	before := len(all)
	for old, x := range f {
		all.Add(old, x)
	}
	if len(all) == before && before > 0 && bytes.Equal(all.Encode(), m.Purges().Encode()) {
		return nil
	}
	if err := fsx.WriteFile(m.PurgeIndexFile(), all.Encode(), 0o644); err != nil {
		return fmt.Errorf("write the records of purges: %w", err)
	}
	return nil
}

// PurgedPrefix adds to what a short id may mean the ids that purges changed.
func (m *Map) PurgedPrefix(p string) (now []string, gone bool) {
	f := m.Purges()
	for old := range f {
		if !strings.HasPrefix(old, p) {
			continue
		}
		id, lost := f.Follow(old)
		if gone = gone || lost; !lost && !slices.Contains(now, id) {
			now = append(now, id)
		}
	}
	slices.Sort(now)
	return now, gone
}

// A ConflictingRewrites is what different purges made of one commit or file, each without knowing
// of the other. What each of them took out is to go from all.
type ConflictingRewrites struct {
	Final []string // by id
	Gone  bool     // one of the purges took it out as a whole
}

// Conflicting finds the conflicting rewrites in records: by the id of each, all that it must agree with.
func (f Replacements) Conflicting() map[string]ConflictingRewrites {
	all := map[string]ConflictingRewrites{}
	for old, x := range f {
		if len(x.Conflicts) == 0 {
			continue
		}
		k := ConflictingRewrites{}
		f.followConflicts(old, map[string]bool{}, &k)
		if len(k.Final) < 2 && !k.Gone {
			continue
		}
		for _, id := range k.Final {
			was := all[id]
			all[id] = ConflictingRewrites{lists.SortedUnion(was.Final, slices.Sorted(slices.Values(k.Final))), was.Gone || k.Gone}
		}
	}
	return all
}

// followConflicts adds to k where the records lead from an id.
func (f Replacements) followConflicts(id string, seen map[string]bool, k *ConflictingRewrites) {
	x, ok := f[id]
	switch {
	case seen[id]:
		return
	case !ok:
		k.Final = append(k.Final, id)
	}
	seen[id] = true
	k.Gone = k.Gone || x.Gone
	if !x.Gone {
		for _, now := range x.Now {
			f.followConflicts(now, seen, k)
		}
	}
	for _, now := range x.Conflicts {
		f.followConflicts(now, seen, k)
	}
}

// SayAll reports whether f says all that others say.
func (f Replacements) SayAll(others Replacements) bool {
	for old, x := range others {
		if !f.Says(old, x) {
			return false
		}
	}
	return true
}

func (f Replacements) AddAll(others Replacements) {
	for old, x := range others {
		f.Add(old, x)
	}
}

// Within reports whether all that f knows is in others.
func (f Replacements) Within(others Replacements) bool {
	for old := range f {
		if _, ok := others[old]; !ok {
			return false
		}
	}
	return true
}
