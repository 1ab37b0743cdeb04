package gitstore

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
)

// ErrPurged says that a checkpoint was taken out of history for good.
var ErrPurged = errors.New("checkpoint was purged")

// purgedDir is where the knowledge tree says what purges did, one file for each.
const purgedDir = "purged"

// A fate is what a purge made of a commit or a file.
type fate struct {
	now    []string // what took its place: one id, or of a commit that is gone what it continued
	gone   bool
	file   string   // of purged/ in the knowledge tree, which says so
	rivals []string // what other purges made of it, that did not know of this one
}

// old reports whether anything befell the id that has this fate.
func (x fate) old() bool { return x.gone || len(x.now) > 0 }

// fates are those of old ids. They hold ids only: what was purged is in none.
type fates map[string]fate

// add takes in what a record says. Of two records that differ, "gone" counts,
// else the lesser id, so that all clones that have both agree; the other becomes a
// rival.
func (f fates) add(old string, x fate) {
	was, ok := f[old]
	if !ok {
		f[old] = x
		return
	}
	if x.gone && !was.gone || x.gone == was.gone && slices.Compare(x.now, was.now) < 0 {
		x, was = was, x
	}
	was.rivals = united(was.rivals, x.rivals)
	if !x.gone && !slices.Equal(x.now, was.now) {
		was.rivals = united(was.rivals, x.now)
	}
	f[old] = was
}

// says reports whether f says of an id what x says.
func (f fates) says(old string, x fate) bool {
	was := f[old]
	all := fates{old: was}
	all.add(old, x)
	now := all[old]
	return was.old() && was.gone == now.gone && slices.Equal(was.now, now.now) && slices.Equal(was.rivals, now.rivals)
}

// parse adds the lines of a record: "<old> <new>", or "<old> - <parent>..." for
// what is gone. Lines of another form are of a later version, and no reason to stop.
func (f fates) parse(b []byte, file string) {
	for line := range bytes.Lines(b) {
		ids := strings.Fields(string(line))
		if len(ids) == 2 && ids[0] == "#" {
			file = ids[1]
		}
		if len(ids) < 2 || !isID(ids[0]) {
			continue
		}
		x := fate{now: ids[1:2], file: file}
		if ids[1] == "-" {
			x.now, x.gone = ids[2:], true
		}
		if !slices.ContainsFunc(x.now, func(id string) bool { return !isID(id) }) {
			f.add(ids[0], x)
		}
	}
}

func isID(s string) bool { return (len(s) == 40 || len(s) == 64) && isHex(s) }

// encode is the record of f, by old id. In the index a line "# <record>" comes
// before what that record says.
func (f fates) encode() []byte {
	var b bytes.Buffer
	ids := slices.SortedFunc(maps.Keys(f), func(x, y string) int {
		return cmp.Or(strings.Compare(f[x].file, f[y].file), strings.Compare(x, y))
	})
	file := ""
	for _, old := range ids {
		x := f[old]
		if x.file != file {
			file = x.file
			b.WriteString("# " + file + "\n")
		}
		b.WriteString(old)
		if x.gone {
			b.WriteString(" -")
		}
		for _, id := range x.now {
			b.WriteString(" " + id)
		}
		b.WriteByte('\n')
		for _, id := range x.rivals {
			b.WriteString(old + " " + id + "\n")
		}
	}
	return b.Bytes()
}

// follow is what became of id in the end. An id that nothing befell is itself; of
// one that is gone it is what that continued, or "".
func (f fates) follow(id string) (now string, gone bool) {
	for range len(f) { // records that go in a circle end somewhere
		x, ok := f[id]
		if !ok {
			break
		}
		gone = gone || x.gone
		if len(x.now) == 0 {
			return "", gone
		}
		id = x.now[0]
	}
	return id, gone
}

// A purgeIndex is the index file as it was last read.
type purgeIndex struct {
	stamp fs.FileInfo
	fates fates
}

func (s *Store) purgeIndexFile() string { return s.dir("purged") }

// purges is what all purges that are known here did. It lies beside git in one
// file, so that where nothing was ever purged a look costs one system call.
func (s *Store) purges() fates {
	st, err := fsx.Lstat(s.purgeIndexFile())
	if err != nil {
		return nil
	}
	s.purgeMu.Lock()
	defer s.purgeMu.Unlock()
	if known := s.purgeIndex.stamp; known != nil && sameFile(known, st) {
		return s.purgeIndex.fates
	}
	b, err := fsx.ReadOwn(s.purgeIndexFile())
	if err != nil {
		return nil
	}
	f := fates{}
	f.parse(b, "")
	s.purgeIndex = purgeIndex{st, f}
	return f
}

func sameFile(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && fsx.Inode(a) == fsx.Inode(b)
}

// purged says what purges made of id: itself if they left it alone. Every id that
// comes from anywhere but git's history goes through it. gone says that the
// checkpoint left history; now is then what it continued, or "".
func (s *Store) purged(id string) (now string, gone bool) { return s.purges().follow(id) }

// standIn is what a session that saw id continues.
func (s *Store) standIn(id string) string {
	now, _ := s.purged(id)
	return now
}

// What bounds the records of others that are looked at: each line costs a look whether
// its object is here, and those of one id are brought together two by two.
const (
	maxRecords  = 100_000        // lines of all records in a tree: purges of 50,000 checkpoints
	maxFates    = 100            // lines of one id, of purges that did not know of one another
	maxFollowed = 4 * maxRecords // lines that are followed where each id is followed to its end
)

// othersRecords is purgeRecords of what was fetched.
func (s *Store) othersRecords(ctx context.Context, knowledge string) (fates, error) {
	sum, said := 0, map[string]int{}
	err := s.eachRecord(ctx, knowledge, func(b []byte, _ string) error {
		if sum += bytes.Count(b, []byte("\n")); sum > maxRecords {
			return fmt.Errorf("its records of purges have more than %d lines", maxRecords)
		}
		for line := range bytes.Lines(b) {
			id, _, _ := bytes.Cut(line, []byte(" "))
			if said[string(id)]++; said[string(id)] > maxFates {
				return fmt.Errorf("its records of purges say more than %d things of %s", maxFates, short(string(id)))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f, err := s.purgeRecords(ctx, knowledge)
	if err == nil && !f.isShort() {
		return nil, errors.New("its records of purges lead from one to the next without end")
	}
	return f, err
}

// isShort reports whether all ids can be followed to their ends: chains and circles of
// many lines take the square of their length.
func (f fates) isShort() bool {
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
			if left -= 1 + len(x.now) + len(x.rivals); left < 0 {
				return false
			}
			todo = append(append(todo, x.now...), x.rivals...)
		}
	}
	return true
}

// purgeRecords reads what the knowledge tree at a commit says of purges.
func (s *Store) purgeRecords(ctx context.Context, knowledge string) (fates, error) {
	f := fates{}
	err := s.eachRecord(ctx, knowledge, func(b []byte, file string) error {
		f.parse(b, file)
		return nil
	})
	return f, err
}

// eachRecord calls fn with each record in the knowledge tree at a commit, "" for none.
func (s *Store) eachRecord(ctx context.Context, knowledge string, fn func(b []byte, file string) error) error {
	if knowledge == "" {
		return nil
	}
	o, err := s.batch.Get(knowledge + ":" + purgedDir)
	if errors.Is(err, git.ErrMissing) {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("read what was purged: %w", err)
	}
	for _, e := range parseTree(o.Data, s.idSize()) {
		if e.mode != modeFile {
			continue
		}
		b, err := s.batch.Get(e.id)
		if err != nil {
			return fmt.Errorf("read what was purged: %w", err)
		}
		if err := fn(b.Data, e.name); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// indexPurges brings the index up to date with the knowledge tree. Whoever moves
// refs/sage/knowledge to a tree that has further records calls it.
func (s *Store) indexPurges(ctx context.Context) error {
	tip, err := s.tip(ctx, KnowledgeRef)
	if err != nil {
		return err
	}
	f, err := s.purgeRecords(ctx, tip)
	if err != nil || len(f) == 0 {
		return err
	}
	return s.keepPurges(f)
}

// learnPurges is indexPurges, and reports whether there was anything to learn.
func (s *Store) learnPurges(ctx context.Context) bool {
	before := s.purges().encode()
	return s.indexPurges(ctx) == nil && !bytes.Equal(before, s.purges().encode())
}

// keepPurges adds to the index. What is known stays known.
func (s *Store) keepPurges(f fates) error {
	all := maps.Clone(s.purges())
	if all == nil {
		all = fates{}
	}
	before := len(all)
	for old, x := range f {
		all.add(old, x)
	}
	if len(all) == before && before > 0 && bytes.Equal(all.encode(), s.purges().encode()) {
		return nil
	}
	if err := fsx.WriteFile(s.purgeIndexFile(), all.encode(), 0o644); err != nil {
		return fmt.Errorf("keep what was purged: %w", err)
	}
	return nil
}

// purgedPrefix adds to what a short id may mean the ids that purges changed.
func (s *Store) purgedPrefix(p string) (now []string, gone bool) {
	f := s.purges()
	for old := range f {
		if !strings.HasPrefix(old, p) {
			continue
		}
		id, lost := f.follow(old)
		if gone = gone || lost; !lost && !slices.Contains(now, id) {
			now = append(now, id)
		}
	}
	slices.Sort(now)
	return now, gone
}
