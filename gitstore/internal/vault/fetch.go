package vault

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Fetch brings what a vault has into refs/sage/remotes/<name>/, as a plain fetch does.
// Nothing of it is merged, and a chunk that cannot be opened changes nothing.
//
// Killed anywhere it has brought objects that no ref leads to, or moved the refs and not
// noted so: the next fetch does it again.
func (v *Vault) Fetch(ctx context.Context, r Remote) (Report, error) {
	return v.visiting(ctx, r, (*visit).takeIn)
}

// takeIn brings the state, the objects and the refs here to what the vault has.
func (vi *visit) takeIn() error {
	tip, err := vi.stage.fetch(vi.ctx)
	if err != nil {
		return err
	}
	if tip == "" {
		if vi.state.Number > 0 {
			return vi.wentBack("the encrypted memory is gone from it")
		}
		return nil
	}
	whole, err := vi.holdsAll()
	if err == nil && !(whole && tip == vi.state.Commit) {
		if err = vi.read(tip, whole); whole && errors.Is(err, errLacks) {
			err = vi.read(tip, false) // it builds on what was purged here, or is gone
		}
	}
	if err != nil {
		return err
	}
	return vi.arrive()
}

// arrive points the refs to where the state says, and keeps it.
func (vi *visit) arrive() error {
	known := vi.known()
	for name := range vi.state.Refs {
		switch {
		case !isOurs(name):
			vi.report.note(remedy.Notef("ignored '%s', which is no ref of a memory", legible.OneLine(name)))
		case known[name] == "":
			vi.report.note(remedy.Notef("it has what was purged here, until the next push"))
		}
	}
	changed, err := vi.track(vi.ctx, vi.remote.Name, known)
	if err != nil {
		return err
	}
	vi.report.Refs, vi.report.Has = changed, len(known)
	return vi.writeState(vi.remote.Name, vi.state)
}

// isOurs reports whether a name that came from elsewhere is one that a ref of ours can have.
func isOurs(ref string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "refs/sage/"), "/") {
		if refname.CheckName(part) != nil {
			return false
		}
	}
	return refname.IsAcknowledged(ref) || ref == notes.TrackedAs
}

// known are the refs of the vault but those that are none of a memory, and those that a purge
// here changed: what they hold is to stay away, and the next push takes it out of the vault.
func (vi *visit) known() map[string]string {
	refs := maps.Clone(vi.state.Refs)
	maps.DeleteFunc(refs, func(name, id string) bool {
		now, gone := vi.rewritten.Purged(id)
		return gone || now != id || !isOurs(name)
	})
	return refs
}

// holdsAll reports whether what the newest manifest names is here. It is not where somebody
// deleted the refs and git the objects.
func (vi *visit) holdsAll() (bool, error) {
	known := vi.known()
	if len(known) == 0 {
		return true, nil
	}
	now, err := vi.tracking(vi.ctx, vi.remote.Name)
	if err != nil || maps.Equal(now, known) {
		return err == nil, err
	}
	_, err = vi.repo.Git.Feed(vi.ctx, idLines(known, ""), "rev-list", "--quiet", "--no-walk", "--stdin")
	return err == nil, nil
}

// idLines are the ids of some refs, a line each and each once.
func idLines(refs map[string]string, prefix string) []byte {
	var b strings.Builder
	for _, id := range slices.Compact(slices.Sorted(maps.Values(refs))) {
		b.WriteString(prefix + id + "\n")
	}
	return []byte(b.String())
}

// errLacks says that a chunk is not complete, with what is here.
var errLacks = errors.New("objects are missing or damaged")

// read opens the chunks behind the newest that was read, or all.
func (vi *visit) read(tip string, whole bool) error {
	all, err := vi.stage.pieces(vi.ctx, tip)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return vi.wentBack("it holds no chunk")
	}
	first, last := all[0].number, all[len(all)-1].number
	if last < vi.state.Number {
		return vi.wentBack(fmt.Sprintf("it has chunk %d, and had %d", last, vi.state.Number))
	}
	keys, unusable, err := vi.keys()
	if err != nil {
		return err
	}
	now, from := vi.state, first
	switch {
	case whole && last == vi.state.Number: // another commit, which must say the same
		from = last
	case whole:
		from = max(first, vi.state.Number+1)
	}
	for n := from; n <= last; n++ {
		sealed, err := vi.stage.read(vi.ctx, all, n)
		if err != nil {
			return err
		}
		c, err := open(sealed, keys)
		if err != nil {
			return cannotOpen(n, err, keys, unusable)
		}
		if err := vi.fits(c, now, n, n == first); err != nil {
			return err
		}
		if n == vi.state.Number && whole {
			break
		}
		next := now.take(c)
		if whole && c.Base && maps.Equal(next.Refs, vi.state.Refs) { // all of it is here
			c.pack = nil
		}
		if err := vi.unpack(c.pack); err != nil {
			return fmt.Errorf("chunk %d: %w: %w", n, errLacks, err)
		}
		now = next
	}
	// As git does behind a fetch: what is new has to be here down to what was.
	if _, err := vi.repo.Git.Feed(vi.ctx, idLines(now.Refs, ""), "rev-list", "--quiet", "--objects", "--stdin", "--not", "--all"); err != nil {
		return fmt.Errorf("%w: %w", errLacks, err)
	}
	now.Commit = tip
	if err := vi.letGo(now); err != nil {
		return err
	}
	used := vi.state.Used
	vi.state = now
	vi.state.Used = slices.DeleteFunc(slices.Clone(used), func(key string) bool { return slices.Contains(now.Removed, key) })
	return nil
}

// fits checks that a chunk is the one of its number, and continues what was read before.
func (vi *visit) fits(c chunk, before state, number int, first bool) error {
	switch {
	case c.Number != number || c.Base != first || len(c.Secrets) == 0:
		return fmt.Errorf("chunk %d is not what its name says", number)
	case c.Format != vi.format():
		return fmt.Errorf("its memory is of the object format %s, and this repository of %s", legible.OneLine(c.Format), vi.format())
	case number == vi.state.Number && c.id != vi.state.ID:
		return vi.wentBack(fmt.Sprintf("chunk %d is not the one that it had", number))
	case number == before.Number+1 && before.Number > 0 && c.Prev != before.ID:
		return vi.wentBack(fmt.Sprintf("chunk %d does not continue what it had", number))
	case vi.state.Number > 0 && c.Base && !slices.Contains(c.Secrets, newest(vi.state.Secrets)):
		return vi.wentBack(fmt.Sprintf("chunk %d was not made by a reader of it", number))
	case !c.Base && newest(c.Secrets) != newest(before.Secrets):
		return vi.wentBack(fmt.Sprintf("chunk %d was not made by a reader of it", number))
	}
	for name, id := range c.Refs {
		if id != "" && (!record.IsHex(id) || len(id) != len(vi.repo.Objects.Zero())) {
			return fmt.Errorf("chunk %d has no id for '%s'", number, legible.OneLine(name))
		}
	}
	return nil
}

// format is how objects are named here.
func (v *Vault) format() string {
	if v.repo.SHA256() {
		return "sha256"
	}
	return "sha1"
}

func newest(secrets []string) string {
	if len(secrets) == 0 {
		return ""
	}
	return secrets[len(secrets)-1]
}

// wentBack refuses what a remote shows, beside what it showed before.
func (vi *visit) wentBack(why string) error {
	return remedy.For(fmt.Errorf("it went back or was replaced: %s; nothing was taken in", why),
		remedy.RemoteAgain.On(wording.InShell(vi.remote.Name)))
}

// cannotOpen says why a chunk cannot be opened.
func cannotOpen(number int, err error, keys []age.Identity, unusable []string) error {
	var no *age.NoIdentityMatchError
	if errors.Is(err, repo.ErrNewer) {
		return fmt.Errorf("chunk %d: %w", number, err)
	}
	if !errors.As(err, &no) && len(keys) > 0 {
		return fmt.Errorf("chunk %d cannot be opened, somebody changed or cut it: %w", number, err)
	}
	err = fmt.Errorf("chunk %d is not encrypted to a key of yours", number)
	if len(unusable) > 0 {
		err = fmt.Errorf("%w (not used: %s)", err, strings.Join(unusable, "; "))
	}
	return remedy.For(err, remedy.MakeKey.On().To("prints your public key: have a reader add it, and push"))
}

// fewObjects is up to where git makes files of what it fetched, rather than keep a pack.
const fewObjects = 100

// unpack takes in the objects of a chunk, each checked as git checks what it receives.
func (vi *visit) unpack(pack []byte) (err error) {
	switch n := objectsIn(pack); {
	case n == 0:
	case n < fewObjects:
		_, err = vi.repo.Git.Feed(vi.ctx, pack, "-c", "core.fsync=loose-object", "unpack-objects", "-q", "--strict")
	default:
		_, err = vi.repo.Git.Feed(vi.ctx, pack, "index-pack", "--stdin", "--strict")
	}
	return err
}

// letGo takes those whom another reader removed since the last fetch out of those whom this
// user accepted: a removal holds for all, and needs no word.
func (vi *visit) letGo(now state) error {
	accepted, err := vi.accepted()
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(accepted), func(key string) bool {
		gone := slices.Contains(now.Removed, key) && !slices.Contains(vi.state.Removed, key)
		if gone {
			vi.report.note(remedy.Note{Text: "another reader removed " + vi.called(key) + "; what you push from now on is not for them"})
		}
		return gone
	})
	if len(left) == len(accepted) {
		return nil
	}
	return vi.setAccepted(left)
}

// called is how a message calls the reader with a key.
func (v *Vault) called(key string) string {
	named, _ := v.proposed()
	for _, r := range named {
		if r.Key == key {
			return r.Name()
		}
	}
	return Reader{Key: key}.Name()
}
