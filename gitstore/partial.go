package gitstore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// promisor is the remote of a clone that leaves objects out until somebody asks for
// them (a partial clone), "" elsewhere. Nothing here asks: no command of ours but a
// push of a purge waits for a network.
func (s *Store) promisor() string {
	if remotes := s.promisors(); len(remotes) > 0 {
		return remotes[0]
	}
	return ""
}

// promisors are promisor and, where a clone has several, the others.
func (s *Store) promisors() (out []string) {
	if remote, _, ok := s.Config("extensions.partialclone"); ok {
		out = append(out, remote)
	}
	for _, key := range s.ConfigKeys("remote.") {
		remote, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".promisor")
		if value, _, _ := s.Config(key); ok && !strings.EqualFold(value, "false") && !slices.Contains(out, remote) {
			out = append(out, remote)
		}
	}
	return out
}

// refetchCommand is what to type in a clone that left objects of ours out.
func (s *Store) refetchCommand(remote string) string {
	return s.fetchCommand(remote, "--refetch", "--no-filter")
}

// leftOut says of an object that git cannot give what to type where it was left out.
func (s *Store) leftOut(err error) error {
	if err == nil || errors.Is(err, git.ErrMissing) {
		return err
	}
	return cmp.Or(s.notFetched("it"), err)
}

// notFetched says of what a partial clone left out what to type; nil elsewhere.
func (s *Store) notFetched(what string) error {
	if remote := s.promisor(); remote != "" {
		return fmt.Errorf("%s was not fetched, since this is a partial clone; type: %s", what, s.refetchCommand(remote))
	}
	return nil
}

// unread says why the text of a checkpoint cannot be read, and what to type.
func (s *Store) unread(id string, err error) error {
	return fmt.Errorf("read checkpoint %s: %w", short(id), cmp.Or(s.notFetched("its text"), err))
}
