package vault

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A state is what a clone knows of a vault. It names the refs and the secret, and so is its
// user's alone; it holds no text, and no purge needs to look into it.
type state struct {
	Number  int               `json:"number"` // of the newest manifest; 0 is none
	ID      string            `json:"id"`     // of that
	Commit  string            `json:"commit"` // of the vault, that it came with
	Refs    map[string]string `json:"refs"`
	Readers []string          `json:"readers"` // who can open every chunk
	Some    []string          `json:"some"`    // who can open any
	Removed []string          `json:"removed"`
	Secrets []string          `json:"secrets"`
	Used    []string          `json:"used"` // to whom this clone encrypted last
}

func (v *Vault) readState(name string) (s state, err error) {
	file := v.stateFile(name)
	b, err := fsx.ReadOwn(file)
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		err = remedy.For(fmt.Errorf("what was last seen there cannot be read: %w", err), remedy.Typed("rm '"+file+"'"))
	}
	return s, err
}

func (v *Vault) writeState(name string, s state) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := fsx.WriteFile(v.stateFile(name), b, 0o600); err != nil {
		return fmt.Errorf("record what was seen: %w", err)
	}
	return nil
}

// take adds what a chunk says.
func (s state) take(c chunk) state {
	if c.Base {
		s.Refs, s.Readers, s.Some, s.Secrets = map[string]string{}, c.Readers, c.Readers, c.Secrets
	} else {
		s.Refs = maps.Clone(s.Refs)
		s.Readers = minus(s.Readers, minus(s.Readers, c.Readers))
		s.Some = slices.Concat(s.Some, minus(c.Readers, s.Some))
	}
	for name, id := range c.Refs {
		if s.Refs[name] = id; id == "" {
			delete(s.Refs, name)
		}
	}
	s.Number, s.ID, s.Removed = c.Number, c.id, c.Removed
	return s
}

// track points refs/sage/remotes/<name>/ to what the vault has and says which of our refs
// that is about. It does what a plain fetch does, past the ledger: that guards what is ours.
func (v *Vault) track(ctx context.Context, remote string, refs map[string]string) (changed []string, err error) {
	now, err := v.tracking(ctx, remote)
	if err != nil {
		return nil, err
	}
	var moves strings.Builder
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if old := now[name]; old != refs[name] {
			fmt.Fprintf(&moves, "update %s\x00%s\x00%s\x00", refname.TrackingRef(remote, name), refs[name], cmp.Or(old, v.repo.Objects.Zero()))
			changed = append(changed, name)
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	if _, err = v.repo.Git.Feed(ctx, []byte(moves.String()), "-c", "core.fsync=reference", "update-ref", "--no-deref", "--stdin", "-z"); err != nil {
		return nil, fmt.Errorf("record what was fetched: %w", err)
	}
	return changed, nil
}

// tracking are the refs of a remote as they are known here, by our own names.
func (v *Vault) tracking(ctx context.Context, remote string) (map[string]string, error) {
	refs, err := v.repo.Refs(ctx, refname.RemotePrefix+remote+"/")
	out := map[string]string{}
	for _, r := range refs {
		if in, name := refname.Tracks(r.Name); in == remote {
			out[name] = r.ID
		}
	}
	return out, err
}
