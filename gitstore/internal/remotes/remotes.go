// Package remotes moves the memory to and from remotes: it fetches, merges by meaning and
// pushes, and nothing leaves before a person said so.
//
// A fetch goes straight to refs/sage/remotes/<remote>/, without a repository in between: what fails
// git's fsck leaves neither a ref nor an object. What passes and is no memory stays there until the
// remote lets go of it, or each sync would fetch it again; whatever reads, merges or sends it asks
// the package admission first.
//
// Size: 88 methods, for what a person said, what is known of a remote, what may leave and the
// talk with it are asked of one that is open.
package remotes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/exchange"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/vault"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
)

// Remotes is the memory as others have it.
type Remotes struct {
	repo      *repo.Repo
	rewritten *rewritten.Map
	ownership *ownership.Ownership
	commits   *commits.Commits
	admission *admission.Gate
	exchange  *exchange.Exchange
	vault     *vault.Vault
	notes     *notes.Notes
	contents  *contents.Tree
}

// New returns Remotes over the rooms that it uses.
func New(
	repo *repo.Repo,
	rewritten *rewritten.Map,
	ownership *ownership.Ownership,
	commits *commits.Commits,
	admission *admission.Gate,
	exchange *exchange.Exchange,
	vault *vault.Vault,
	notes *notes.Notes,
	contents *contents.Tree,
) *Remotes {
	return &Remotes{repo, rewritten, ownership, commits, admission, exchange, vault, notes, contents}
}

// A Way is how a remote is talked to.
type Way struct {
	Background bool                             // nobody waits: nothing is asked, and what fails is tried later
	Silence    time.Duration                    // without an answer; 0 is [Patience]
	Time       time.Duration                    // for all of it; 0 is [MostTime]
	Progress   func(what string, done, all int) // may be nil
	Asks       bool                             // a person is there who can be asked for a password
	alone      bool                             // no other process of ours talks to remotes meanwhile
	Again      bool                             // refs that the remote deleted are sent again
}

// What bounds the talk with a remote.
const (
	Patience = 60 * time.Second // without a word of it: ssh that hangs, a server that is gone
	MostTime = time.Hour        // all that there is, over a slow line

	askedTime = 5 * time.Minute // as Patience, where a person may be looking for a password
)

// Default is the remote that is meant where none is named: the one that the memory is shared
// with, or was taken in from, else origin, else the only one there is.
func (r *Remotes) Default(ctx context.Context) (string, error) {
	all := r.configured()
	if len(all) == 0 {
		var err error
		if all, err = r.repo.Remotes(ctx); err != nil {
			return "", err
		}
	}
	var known []string
	for _, c := range r.agreements() {
		if slices.Contains(all, c.Name) {
			known = append(known, c.Name)
		}
	}
	switch {
	case len(known) == 1:
		return known[0], nil
	case slices.Contains(all, "origin"):
		return "origin", nil
	case len(all) == 1:
		return all[0], nil
	case len(all) == 0:
		return "", remedy.For(errNoRemote, remedy.AddRemote.On().To("adds one"))
	}
	return "", fmt.Errorf("there are several remotes, and none is origin: name one of %s", wording.Quoted(all))
}

var errNoRemote = errors.New("there is no remote")

// oddInName is what names of remotes may hold, if not by 'git remote add', and ours of refs may not.
const oddInName = "/ \t~^:?*[\\"

// Check returns an error unless there is a remote of that name, which ours can be kept beside.
func (r *Remotes) Check(ctx context.Context, name string) error {
	all := r.configured()
	if !slices.Contains(all, name) {
		var err error
		if all, err = r.repo.Remotes(ctx); err != nil {
			return err
		}
	}
	switch {
	case !slices.Contains(all, name):
		there := ""
		switch len(all) {
		case 0:
		case 1:
			there = "; there is " + wording.Quoted(all)
		default:
			there = "; there are " + wording.Quoted(all)
		}
		return remedy.For(fmt.Errorf("no remote '%s'%s", legible.OneLine(name), there), remedy.AddRemote.On(wording.InShell(name)))
	case strings.ContainsAny(name, oddInName):
		at := strings.IndexAny(name, oddInName)
		sign := strings.TrimSpace(name[at : at+1])
		if sign = "'" + sign + "'"; sign == "''" {
			sign = "blank"
		}
		return remedy.For(fmt.Errorf("the remote '%s' has a %s in its name, which refs of the memory cannot hold", legible.OneLine(name), sign), remedy.Typed("git remote rename "+wording.InShell(name)+" <name>").To("gives it another name"))
	}
	return nil
}

// URLs are where a remote is fetched from, and pushed to, without a password or token that stands
// in them: git has it from its own configuration, and nobody else is shown or told it.
func (r *Remotes) URLs(ctx context.Context, name string) (fetch string, push []string, err error) {
	if push, err = r.pushURLs(ctx, name); err != nil {
		return "", nil, err
	}
	from, err := r.addresses(ctx, name)
	return withoutSecret(strings.Join(from, "\n")), push, err
}

// pushURLs are the second half of URLs.
func (r *Remotes) pushURLs(ctx context.Context, name string) ([]string, error) {
	to, err := r.addresses(ctx, name, "--push", "--all")
	return lists.Map(to, withoutSecret), err
}

// addresses are those that git has for a remote, as they are: which ones, options of 'git remote
// get-url' say.
func (r *Remotes) addresses(ctx context.Context, name string, which ...string) ([]string, error) {
	if at, known := r.knownAddress(name, len(which) > 0); known {
		return []string{at}, nil
	}
	out, err := r.repo.Git.Run(ctx, slices.Concat([]string{"remote", "get-url"}, which, []string{"--", name})...)
	if err != nil {
		return nil, fmt.Errorf("find the address of '%s': %w", legible.OneLine(name), err)
	}
	return lines(out), nil
}

// knownAddress is the one address of a remote, if what is known of the configuration holds and says
// it. What rewrites addresses only git knows to apply.
func (r *Remotes) knownAddress(name string, push bool) (at string, known bool) {
	if !r.repo.Holds() || len(r.repo.ConfigKeys("url.")) > 0 {
		return "", false
	}
	if push {
		if at, known = r.repo.Only("remote." + name + ".pushurl"); at != "" || !known {
			return at, known && len(lines([]byte(at))) == 1
		}
	}
	at, known = r.repo.Only("remote." + name + ".url")
	return at, known && len(lines([]byte(at))) == 1
}

// places are addresses as they are agreed to: a relative path leads elsewhere from another work
// tree, and where the repository was moved to.
func (r *Remotes) places(push []string) []string {
	return lists.Map(push, func(address string) string {
		before, _, isFar := strings.Cut(address, ":")
		if filepath.IsAbs(address) || isFar && !strings.Contains(before, "/") {
			return address
		}
		return filepath.Join(cmp.Or(r.repo.Top(), r.repo.CommonDir()), address)
	})
}

// withoutSecret is an address without what lets somebody in: over http that may be the name alone.
func withoutSecret(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	host, path, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(host, '@')
	if !ok || at < 0 {
		return address
	}
	user, _, _ := strings.Cut(host[:at], ":")
	if strings.HasPrefix(scheme, "http") {
		return scheme + "://" + host[at+1:] + "/" + path
	}
	return scheme + "://" + user + host[at:] + "/" + path
}

func lines(b []byte) []string {
	return strings.FieldsFunc(string(b), func(c rune) bool { return c == '\n' })
}

// talk runs a git that talks to a remote.
func (r *Remotes) talk(ctx context.Context, w Way, name string, config []string, args ...string) ([]byte, error) {
	return r.talkIn(ctx, w, name, "", config, args...)
}

// talkIn is talk of the repository in a folder; "" is this one.
func (r *Remotes) talkIn(ctx context.Context, w Way, name, gitDir string, config []string, args ...string) ([]byte, error) {
	silence := w.Silence
	switch {
	case silence == 0 && w.Asks:
		silence = askedTime
	case silence == 0:
		silence = Patience
	}
	config = append([]string{
		"http.lowSpeedLimit=1", fmt.Sprintf("http.lowSpeedTime=%d", max(1, int(silence.Seconds()))),
		"submodule.recurse=false", "push.followTags=false", "push.pushOption=", "push.recurseSubmodules=no",
		"fetch.fsckObjects=true", "fetch.parallel=1", "fetch.writeCommitGraph=false", "remote." + name + ".mirror=false",
	}, config...)
	runner := r.repo.Outside(config...)
	if w.Background {
		runner = runner.With("GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never")
	}
	if w.Asks {
		runner = runner.Asking()
	}
	if gitDir != "" { // where an address that is a relative path means the same
		runner = runner.In(cmp.Or(r.repo.Top(), r.repo.CommonDir())).At(gitDir)
	}
	out, err := runner.Talk(ctx, silence, w.heard(), args...)
	var e *git.Error
	if errors.As(err, &e) {
		said := errors.New(legible.OneLine(e.OfRemote()))
		switch {
		case e.Unsound():
			of := wording.InShell(name)
			said = remedy.For(fmt.Errorf("git refuses what it has: %w", said), remedy.Typed("git ls-remote "+of).To("lists its refs; 'git push "+of+" --delete <ref>' takes out the one that has it"))
		case e.NeedsCredentials():
			said = remedy.For(said, remedy.Typed("git ls-remote "+wording.InShell(name)).To("asks for what git needs to know, and keeps it if you set a credential helper with --global"))
		}
		err = &saidError{said, e}
	}
	if err != nil {
		err = fmt.Errorf("remote '%s': %w", legible.OneLine(name), err)
	}
	return out, err
}

// A saidError is what a remote said, in short.
type saidError struct {
	error
	git *git.Error
}

func (e *saidError) Unwrap() []error { return []error{e.error, e.git} }

// heard reads the progress of a git.
func (w Way) heard() func(string) {
	if w.Progress == nil {
		return nil
	}
	return func(line string) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "remote: "))
		what, rest, ok := strings.Cut(line, ": ")
		_, count, _ := strings.Cut(rest, "(")
		var done, all int
		if n, _ := fmt.Sscanf(count, "%d/%d)", &done, &all); ok && n == 2 && all > 0 && done <= all {
			w.Progress(legible.OneLine(what), done, all)
		}
	}
}

// mostWait is how long a command waits for another process that talks to remotes. Behind that it
// goes on: git keeps both from taking anything from each other.
const mostWait = time.Minute

// alone lets one process at a time talk to remotes, and bounds all that it does with them.
func (r *Remotes) alone(ctx context.Context, w *Way) (context.Context, func()) {
	ctx, cancel := w.within(ctx)
	if w.alone {
		return ctx, cancel
	}
	w.alone = true
	wait, waited := context.WithTimeout(ctx, mostWait)
	defer waited()
	lock, _, _ := fsx.TryLock(wait, r.repo.Dir("sync.lock"))
	return ctx, func() {
		cancel()
		if lock != nil {
			lock.Unlock()
		}
	}
}

// within bounds all that is done with a remote.
func (w Way) within(ctx context.Context) (context.Context, context.CancelFunc) {
	most := w.Time
	if most == 0 {
		most = MostTime
	}
	return context.WithTimeoutCause(ctx, most, fmt.Errorf("it took longer than %s", most))
}

// refs are ours, and what the remote had when it was last talked to, by our names. Notes on the
// user's commits go by the name under which those of a remote are kept.
func (r *Remotes) refs(ctx context.Context, name string) (ours []refname.Ref, theirs map[string]string, err error) {
	all, err := r.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix, refname.KnowledgeRef, backup.NotesRef, refname.RemotePrefix+name+"/")
	theirs = map[string]string{}
	for _, ref := range all {
		if remote, of := refname.Tracks(ref.Name); remote != "" {
			theirs[of] = ref.ID
		} else {
			if ref.Name == backup.NotesRef {
				ref.Name = notes.TrackedAs
			}
			ours = append(ours, ref)
		}
	}
	return ours, theirs, err
}
