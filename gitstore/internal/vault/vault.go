// Package vault keeps the memory on a remote as objects that its host cannot read.
//
// One ref of the remote leads to commits by nobody, of no date, whose tree holds chunks. A
// chunk is an age file around a pack of git objects and a manifest: what our refs are
// called and where they point. Only the refs that changed, and only the objects that are
// new, are in a chunk; now and then a base takes the place of all chunks. What the host
// sees is when somebody pushed, and roughly how much.
//
// A reader ends up with what a plain fetch leaves, refs/sage/remotes/<name>/, and merges
// it as ever: age proves of no text who wrote it, and admission judges all of it. What the
// host can do is refuse, forget, or show what it had before; of that
//
//   - a chunk that it changed or cut short cannot be opened,
//   - a chunk that it made up lacks the secret that every chunk carries, once a clone has
//     read one chunk that does,
//   - a remote that goes back, or shows another history than it did, is refused.
package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A Vault reads and writes encrypted remotes.
type Vault struct {
	repo      *repo.Repo
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	commits   *commits.Commits
}

// New returns a Vault over the rooms that it uses.
func New(
	repo *repo.Repo,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	commits *commits.Commits,
) *Vault {
	return &Vault{repo, rewritten, ownership, commits}
}

// DefaultRef is where the chunks lie on a remote that takes refs of any name. Another, such
// as a branch, is for hosts that do not.
const DefaultRef = refname.VaultRef

// A Remote is where a vault lies.
type Remote struct {
	Name string // which refs/sage/remotes/<name>/ is for
	URL  string // as git takes it
	Push string // where pushes go, if that is another
	Ref  string // "" is DefaultRef

	// Talk runs a git that talks to the remote, on the repository in a folder; nil is plainly.
	Talk func(ctx context.Context, gitDir string, args ...string) ([]byte, error)
}

// A Report says what a fetch or a push did.
type Report struct {
	Refs   []string      // ours, by full name, that changed: here behind a fetch, there behind a push
	Behind []string      // of a push: those that lack what the vault has; fetch, merge, and push again
	Bytes  int           // of a push: what the host was given
	Base   bool          // of a push but the first: all was encrypted again
	Has    int           // refs that the vault has
	Notes  []remedy.Note // what its user should know
}

// note adds a note, once.
func (r *Report) note(n remedy.Note) {
	if !slices.ContainsFunc(r.Notes, func(o remedy.Note) bool { return o.Text == n.Text }) {
		r.Notes = append(r.Notes, n)
	}
}

// transferTime bounds a fetch or push, which may be of all that there is and over a slow line.
const transferTime = time.Hour

// A visit is one fetch from a vault or one push to it.
type visit struct {
	*Vault
	ctx    context.Context
	remote Remote
	stage  stage
	state  state
	report Report
}

// visiting calls do while no other process of this repository is at a vault.
func (v *Vault) visiting(ctx context.Context, r Remote, do func(*visit) error) (Report, error) {
	if err := v.repo.Enabled(); err != nil {
		return Report{}, err
	}
	r.Ref, r.Push = cmp.Or(r.Ref, DefaultRef), cmp.Or(r.Push, r.URL)
	if r.Talk == nil {
		r.Talk = func(ctx context.Context, gitDir string, args ...string) ([]byte, error) {
			return v.repo.Outside().At(gitDir).Run(ctx, args...)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, transferTime)
	defer cancel()
	vi := &visit{Vault: v, ctx: ctx, remote: r, stage: v.stage(r)}
	done, err := v.lock(ctx)
	if err == nil {
		defer done()
		if vi.state, err = v.readState(r.Name); err == nil {
			err = do(vi)
		}
	}
	if where := "remote '" + legible.OneLine(r.Name) + "': "; err != nil && !strings.HasPrefix(err.Error(), where) { // who talks may have said it
		err = fmt.Errorf("%s%w", where, err)
	}
	return vi.report, err
}

// lockTime is how long one process waits for another that is at a vault.
const lockTime = 30 * time.Second

func (v *Vault) lock(ctx context.Context) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	if err := fsx.Mkdir(v.repo.Dir("vault")); err != nil {
		return nil, err
	}
	l, _, err := fsx.TryLock(ctx, v.repo.Dir("vault.lock"))
	if err != nil && ctx.Err() != nil {
		return nil, errors.New("another git-sage is fetching or pushing; try again when it is done")
	}
	return l.Unlock, nil // where files cannot be locked the remote's compare-and-swap decides
}

// stateFile is where a state is kept.
func (v *Vault) stateFile(name string) string {
	return v.repo.Dir("vault", url.PathEscape(name)+".json")
}

// Forget removes what is known of a vault: the next fetch believes what it finds. It is for
// a remote that is removed, or that its owner set back.
func (v *Vault) Forget(name string) error {
	if err := fsx.RemoveAll(v.stateFile(name)); err != nil {
		return fmt.Errorf("forget remote '%s': %w", legible.OneLine(name), err)
	}
	return fsx.RemoveAll(v.stageDir(name))
}
