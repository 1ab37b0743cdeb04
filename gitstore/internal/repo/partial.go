package repo

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// Promisor is the remote of a clone that leaves objects out until somebody asks for
// them (a partial clone), "" elsewhere. Nothing here asks: no command of ours but a
// push of a purge waits for a network.
func (rp *Repo) Promisor() string {
	if remotes := rp.Promisors(); len(remotes) > 0 {
		return remotes[0]
	}
	return ""
}

// Promisors are promisor and, where a clone has several, the others.
func (rp *Repo) Promisors() (out []string) {
	if remote, _, ok := rp.Config("extensions.partialclone"); ok {
		out = append(out, remote)
	}
	for _, key := range rp.ConfigKeys("remote.") {
		remote, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".promisor")
		if value, _, _ := rp.Config(key); ok && !strings.EqualFold(value, "false") && !slices.Contains(out, remote) {
			out = append(out, remote)
		}
	}
	return out
}

// RefetchCommand is what to type in a clone that left objects of ours out.
func (rp *Repo) RefetchCommand(remote string) string {
	return rp.FetchCommand(remote, "--refetch", "--no-filter")
}

// LeftOut says of an object that git cannot give what to type where it was left out.
func (rp *Repo) LeftOut(err error) error {
	if err == nil || errors.Is(err, git.ErrMissing) {
		return err
	}
	return cmp.Or(rp.NotFetched("it"), err)
}

// NotFetched says of what a partial clone left out what to type; nil elsewhere.
func (rp *Repo) NotFetched(what string) error {
	if remote := rp.Promisor(); remote != "" {
		return &NotFetchedError{what + " was not fetched (partial clone)", rp.RefetchCommand(remote)}
	}
	return nil
}

// Unread says why the text of a checkpoint cannot be read, and what to type.
func (rp *Repo) Unread(id string, err error) error {
	return fmt.Errorf("read checkpoint %s: %w", record.Short(id), cmp.Or(rp.NotFetched("its text"), err))
}
