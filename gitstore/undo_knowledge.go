package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/prose/cut"
)

// undoKnowledge puts the files that a commit of the knowledge changed back, in a new one,
// and refs that went along with it. It refuses where one of them changed since.
func (s *Store) undoKnowledge(ctx context.Context, a Act) (Undone, error) {
	i := slices.IndexFunc(a.moves, func(m move) bool { return m.ref == KnowledgeRef })
	did := a.moves[i]
	files, err := s.filesOf(ctx, did)
	if err != nil {
		return Undone{}, err
	}
	if err := s.hasRenamed(a, did); err != nil {
		return Undone{}, err
	}
	back, err := s.movesBack(ctx, a)
	if err != nil {
		return Undone{}, err
	}
	subject := undoSubject(Act{What: s.subjectAgain(did.new)})
	if err := s.announceDurably(back, "sage: "+cut.Runes(subject, 72)); err != nil {
		return Undone{}, err
	}
	and := also{moves: back, then: s.renamedBack(ctx, did, back)}
	out, err := s.writePlan(ctx, func(tip string) (treeChange, error) {
		put, err := s.filesBack(tip, files)
		return treeChange{subject: subject, files: put, versions: s.versionsBack(put, files)}, err
	}, and)
	if err != nil {
		return Undone{}, err
	}
	if out.commit == "" {
		return Undone{}, &UndoError{"that has been taken back already", "git sage undo"}
	}
	done := Undone{Act: a, Commit: out.commit, Back: []string{KnowledgeRef}, Warnings: out.warnings}
	for _, m := range back {
		done.Back = append(done.Back, m.ref)
	}
	return done, nil
}

// subjectAgain is the subject of a commit as [undoSubject] takes it.
func (s *Store) subjectAgain(id string) string {
	r, err := s.commitRecord(id)
	if err != nil {
		return short(id)
	}
	for _, verb := range []string{"undo: ", "redo: "} {
		if strings.HasPrefix(r.Description, verb) {
			return past(r.Description)
		}
	}
	return r.Description
}

// A fileStep is what a commit made of a file: ids of blobs, "" is none.
type fileStep struct{ path, old, new string }

// filesOf are the files that a move of the knowledge changed, if it was one commit of one
// author, and no purge.
func (s *Store) filesOf(ctx context.Context, m move) (files []fileStep, err error) {
	r, err := s.commitRecord(m.new)
	if err != nil {
		return nil, err
	}
	if len(r.Parents) > 1 || m.old != "" && !slices.Equal(r.Parents, []string{m.old}) {
		return nil, &UndoError{"it took in what others wrote, and a fetch would bring that again", "git sage knowledge rm <id>"}
	}
	zero := s.objects.Zero()
	var ids []string
	err = s.git.Records(ctx, func(b []byte) bool { // ":<mode> <mode> <old> <new> <letter>", then the path
		if f := strings.Fields(string(b)); strings.HasPrefix(string(b), ":") && len(f) == 5 {
			ids = f[2:4]
			return true
		}
		files = append(files, fileStep{string(b), idOrNone(ids[0], zero), idOrNone(ids[1], zero)})
		return true
	}, "diff-tree", "-r", "-z", "--root", "--no-renames", "--no-commit-id", "--raw", "--no-abbrev", m.new)
	for _, f := range files {
		if strings.HasPrefix(f.path, "purged/") || f.path == "format.yaml" || f.old != "" && s.standIn(f.old) != f.old {
			return nil, &UndoError{"a purge is not taken back", "git sage knowledge log"}
		}
	}
	return files, err
}

// filesBack is what is to be written so that files are as they were. Those that are so
// already stay.
func (s *Store) filesBack(tip string, files []fileStep) (map[string][]byte, error) {
	put := map[string][]byte{}
	for _, f := range files {
		now, err := s.fileAt(tip, f.path)
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return nil, fmt.Errorf("read '%s': %w", f.path, s.leftOut(err))
		}
		switch now.ID {
		case f.old:
			continue
		case f.new:
		default:
			return nil, s.changedSince(f)
		}
		if f.old == "" {
			put[f.path] = nil
			continue
		}
		was, err := s.object(f.old)
		if err != nil {
			return nil, fmt.Errorf("read '%s' as it was: %w", f.path, s.leftOut(err))
		}
		put[f.path] = append([]byte{}, was.Data...)
	}
	return put, nil
}

func (s *Store) changedSince(f fileStep) error {
	if key := itemKey(f.path); checkKey(key) == nil && itemPath(key) == f.path {
		if strings.HasPrefix(key, systemDir+"/") || strings.HasPrefix(key, skillsDir+"/") {
			return &UndoError{itemName(key) + " changed since", "git sage undo"}
		}
		return &UndoError{itemName(key) + " changed since", "git sage knowledge log " + key}
	}
	return &UndoError{"'" + f.path + "' changed since", "git sage undo"}
}

// hasRenamed refuses a rename of which only the knowledge is known any more: without the
// line's own ref there would be two lines behind it, or none.
func (s *Store) hasRenamed(a Act, did move) error {
	was, now := s.notesIn(did.old), s.notesIn(did.new)
	for _, notes := range []map[string]LineNote{was, now} {
		for line, n := range notes {
			to := n.RenamedTo
			if to == "" || was[line].RenamedTo == now[line].RenamedTo || slices.ContainsFunc(a.moves, func(m move) bool { return m.ref == headRef(to) }) {
				continue
			}
			from := line
			if now[line].RenamedTo == "" {
				from, to = to, from
			}
			return &UndoError{"the journal was shortened since, and does not know the ref of line '" + to + "'", "git sage branch -m " + to + " " + from}
		}
	}
	return nil
}

// renamedBack is what follows where a line gets its old name back, or its new one again:
// the branches of git's that go with it, and who stands on it, go along.
func (s *Store) renamedBack(ctx context.Context, did move, back []move) func() error {
	i := slices.IndexFunc(back, func(m move) bool { return strings.HasPrefix(m.ref, headsPrefix) })
	if i < 0 {
		return nil
	}
	name := strings.TrimPrefix(back[i].ref, headsPrefix)
	from, to := "", name
	for _, at := range []string{did.new, did.old} {
		for line, n := range s.notesIn(at) {
			if n.RenamedTo == name {
				from = cmp.Or(from, line)
			}
		}
	}
	if from == "" {
		return nil
	}
	if back[i].new == "" {
		from, to = to, from
	}
	stands := s.stand().Line == from
	return func() error {
		if err := s.rebind(from, to); err != nil || !stands {
			return err
		}
		return s.stepOn(to)
	}
}

// versionsBack are the versions of items, among files that go back, that this user left
// before, and those that they took away again: what came from elsewhere waits as it did. What
// they had before any were listed is theirs by its text, if what they made of it is what was
// adopted.
func (s *Store) versionsBack(put map[string][]byte, files []fileStep) (list []version) {
	v := s.versions()
	for _, f := range files {
		key := itemKey(f.path)
		data, ok := put[f.path]
		if !ok || v == nil || !isItemPath(f.path) {
			continue
		}
		made := version{cmp.Or(f.new, s.objects.Zero()), key}
		before := v.before(made)
		if f.old == "" {
			if v.there(key) != "" {
				list = append(list, version{cmp.Or(before, s.objects.Zero()), key})
			}
			continue
		}
		if v.of(key) == made.blob && before != "" {
			list = append(list, version{before, key})
			continue
		}
		was := readItem(f.path, git.Object{ID: f.old, Data: data})
		unlisted := v.of(key) == "" || v.isAdopted(key) && v.of(key) == f.new
		switch {
		case v.lists(version{f.old, key}) || unlisted && was.Err == nil && s.Vouched(sumOf(key, was.Item, false)):
			list = append(list, version{f.old, key})
		case v.of(key) == made.blob && f.new != "": // it was somebody else's
			list = append(list, version{s.objects.Zero(), key})
		}
	}
	return list
}
