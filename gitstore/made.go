package gitstore

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// The file sage/own holds the ids of the commits that were made here, one a line,
// in no order that means anything. What it does not list came from elsewhere,
// whatever its author field says.

func (s *Store) ownFile() string { return s.dir("own") }

// made records commits as made here.
func (s *Store) made(ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := fsx.Append(s.ownFile(), []byte(strings.Join(ids, "\n")+"\n")); err != nil {
		return fmt.Errorf("record what was made here: %w", err)
	}
	return nil
}

// ownIDs returns the ids of the commits that were made here.
func (s *Store) ownIDs() (map[string]bool, error) {
	b, err := fsx.ReadOwn(s.ownFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what was made here: %w", err)
	}
	ids, n := map[string]bool{}, len(s.objects.Zero())
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if len(l) >= n && isHex(l[len(l)-n:]) { // a write that was cut short may stand before it
			ids[l[len(l)-n:]] = true
		}
	}
	return ids, nil
}

// rewriteOwn lets change say which ids are listed.
func (s *Store) rewriteOwn(change func(map[string]bool) error) error {
	ids, err := s.ownIDs()
	if err == nil {
		err = change(ids)
	}
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		b.WriteString(id + "\n")
	}
	return fsx.WriteFile(s.ownFile(), []byte(b.String()), 0o644)
}

// acknowledge writes down what is about to be reported as done: the moves, and the
// commits that were made for them. What fails is no failure of the save, which is
// in git and durable; it is returned as words for a person.
func (s *Store) acknowledge(moves []move, ids ...string) (warnings []string) {
	for _, err := range []error{s.journal(moves), s.made(ids...)} {
		if err != nil {
			warnings = append(warnings, err.Error()+"; it is saved all the same, and 'git sage fsck' says what to type")
		}
	}
	return warnings
}
