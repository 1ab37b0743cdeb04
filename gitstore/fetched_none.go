package gitstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// PlainGit is how git is called on this repository by who stands in its folder: the
// user's own store is a repository that git does not find from anywhere.
func (s *Store) PlainGit() string {
	if s.o.Global {
		return "git --git-dir=" + InShell(s.where.commonDir)
	}
	return "git"
}

// unfetched says what to type where nothing was fetched from a remote that is named
// or, if none is, from any of those that there are.
func (s *Store) unfetched(ctx context.Context, named []string, seen map[string]bool) error {
	lacks := slices.IndexFunc(named, func(remote string) bool { return !seen[remote] })
	if lacks < 0 && len(named)+len(seen) > 0 {
		return nil
	}
	remotes, err := s.remotes(ctx)
	if err != nil || lacks < 0 && len(remotes) == 0 {
		return err
	}
	if lacks >= 0 && !slices.Contains(remotes, named[lacks]) {
		return s.noRemote(named[lacks], remotes)
	}
	from := remotes
	if lacks >= 0 {
		from = named[lacks : lacks+1]
	}
	first := from[max(0, slices.Index(from, "origin"))]
	return &UnfetchedError{from, s.fetchCommand(first)}
}

// An UnfetchedError says that nothing is here of remotes that memory could be taken in
// from. It is an [ErrNothing].
type UnfetchedError struct {
	Remotes []string
	Command string // what fetches it
}

func (e *UnfetchedError) Error() string {
	return fmt.Sprintf("nothing was fetched from %s", quotedList(e.Remotes))
}

func (e *UnfetchedError) Unwrap() error { return ErrNothing }

// remotes are the names of the remotes, in the order of git. A name may hold blanks.
func (s *Store) remotes(ctx context.Context) ([]string, error) {
	out, err := s.git.Run(ctx, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes: %w", err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), nil
}

func (s *Store) noRemote(name string, remotes []string) error {
	there := cmp.Or(quotedList(remotes), "none")
	add := fmt.Sprintf("%s remote add %s <url>", s.PlainGit(), InShell(name))
	return fmt.Errorf("no such remote '%s': %w; there is %s; '%s' adds it", name, ErrNothing, there, add)
}

func quotedList(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "'" + strings.Join(names, "', '") + "'"
}
