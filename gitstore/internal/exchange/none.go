package exchange

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
)

// unfetched says what to type where nothing was fetched from a remote that is named
// or, if none is, from any of those that there are.
func (e *Exchange) unfetched(ctx context.Context, named []string, seen map[string]bool) error {
	lacks := slices.IndexFunc(named, func(remote string) bool { return !seen[remote] })
	if lacks < 0 && len(named)+len(seen) > 0 {
		return nil
	}
	remotes, err := e.repo.Remotes(ctx)
	if err != nil || lacks < 0 && len(remotes) == 0 {
		return err
	}
	if lacks >= 0 && !slices.Contains(remotes, named[lacks]) {
		return e.noRemote(named[lacks], remotes)
	}
	from := remotes
	if lacks >= 0 {
		from = named[lacks : lacks+1]
	}
	first := from[max(0, slices.Index(from, "origin"))]
	return &UnfetchedError{from, e.repo.FetchCommand(first)}
}

// An UnfetchedError says that nothing is here of remotes that memory could be taken in
// from. It is an [ErrNothing].
type UnfetchedError struct {
	Remotes []string
	Command string // what fetches it
}

func (e *UnfetchedError) Error() string {
	return fmt.Sprintf("nothing was fetched from %s", wording.Quoted(e.Remotes))
}

func (e *UnfetchedError) Unwrap() error { return repo.ErrNothing }

func (e *Exchange) noRemote(name string, remotes []string) error {
	there := cmp.Or(wording.Quoted(remotes), "none")
	add := fmt.Sprintf("%s remote add %s <url>", e.repo.PlainGit(), wording.InShell(name))
	return fmt.Errorf("no remote '%s': %w; remotes: %s; '%s' adds it", name, repo.ErrNothing, there, add)
}
