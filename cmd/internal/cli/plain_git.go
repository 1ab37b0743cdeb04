package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
)

const howToFetch = "plain git fetches the memory, and a merge takes it in: for kind in heads/ forks/ tags/ knowledge; do" +
	" git fetch origin \"+refs/sage/$kind*:refs/sage/remotes/origin/$kind*\"; done && git sage merge --fetched origin"

// plainGit says of commands that git has and we leave to it what to type.
var plainGit = map[string]string{
	"push":  "plain git carries the memory: git push origin 'refs/sage/heads/*' 'refs/sage/forks/*' 'refs/sage/tags/*' 'refs/sage/knowledge*'",
	"fetch": howToFetch,
	"pull":  howToFetch,
	"clone": "a clone is git's, and carries no memory; in it, " + howToFetch,
}

// inPlainGit lets what an error says to type work on the user's own store, where git
// does not find it by itself; remotes are rare there, so it says how to add one.
func (a *app) inPlainGit(ctx context.Context, err error) error {
	var u *usageError
	if !errors.As(err, &u) || len(u.hints) != 1 || !strings.Contains(u.hints[0], "plain git ") || strings.HasPrefix(u.hints[0], "a clone") {
		return err
	}
	m, failed := a.open(ctx)
	if failed != nil || m.Store.PlainGit() == "git" {
		return err
	}
	git := m.Store.PlainGit()
	u.hints[0] = strings.NewReplacer(" git fetch ", " "+git+" fetch ", " git push ", " "+git+" push ").Replace(u.hints[0])
	if !slices.Contains(m.Store.ConfigKeys("remote."), "remote.origin.url") {
		u.hints = append([]string{"your own memory has no remote 'origin' yet; add one first: " + git + " remote add origin <url>"}, u.hints...)
	}
	return err
}
