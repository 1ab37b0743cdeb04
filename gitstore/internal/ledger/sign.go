package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

const (
	// signWait is how long an automatic save waits for a signature. A key that
	// wants a passphrase asks for it longer than that.
	signWait = 500 * time.Millisecond
	// signTell is from when on a person is told what the save waits for: who asks for a pin
	// may do so in a window behind others, or by a light on a key.
	signTell = 20 * time.Second
	// signMost bounds the wait for a person.
	signMost = 10 * time.Minute
	// signGrace is for a git that is told to end. What does not end then is left to itself.
	signGrace = 100 * time.Millisecond
)

// signs reports whether checkpoints and changes of the knowledge are signed: sage.sign, else what the user
// does with commits.
func (led *Ledger) signs() bool {
	if v, ok := led.repo.Setting("sage.sign"); ok {
		if on, ok := gitconfig.Boolean(v); ok {
			return on
		}
	}
	return led.repo.Flag("commit.gpgsign", false)
}

// Commit writes the commit, signed if that is wished. A signature needs git,
// which runs the user's signing program; without one the object is ours to write.
func (led *Ledger) Commit(ctx context.Context, w *Work, c record.Commit) (loose.Object, error) {
	if w.Sign {
		o, err := led.signed(ctx, w, c)
		if err == nil || !w.automatic {
			return o, err
		}
		w.Sign = false
		w.Saved.Unsigned = "not signed: " + err.Error()
		w.Saved.Warnings = append(w.Saved.Warnings, remedy.Note{Text: w.Saved.Unsigned})
	}
	o := led.repo.Objects.New("commit", c.Encode())
	if w.C == nil { // of the knowledge, whose files lie there already
		return o, led.backup.Put(ctx, o)
	}
	return o, led.backup.Put(ctx, w.Blob, w.Tree, o)
}

func (led *Ledger) signed(ctx context.Context, w *Work, c record.Commit) (loose.Object, error) {
	if err := led.signerIsUsers(); err != nil {
		return loose.Object{}, err
	}
	most, late := signMost, "no signature within 10 minutes; nothing was saved"
	if w.automatic {
		most, late = signWait, "no signature within 500 ms"
	}
	ctx, cancel := context.WithTimeoutCause(ctx, most, errors.New(late))
	defer cancel()
	args := []string{"-c", "core.fsync=loose-object,reference", "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S", "-F", "-"}
	for _, p := range c.Parents {
		args = append(args, "-p", p)
	}
	out, err := led.signature(ctx, !w.automatic, func() ([]byte, error) {
		return led.repo.Git.With(signerEnv(w)...).Feed(ctx, []byte(c.Message), append(args, c.Tree)...)
	})
	if err != nil {
		return loose.Object{}, fmt.Errorf("sign: %w", err)
	}
	o := loose.Object{ID: git.Text(out)}
	if led.backup.Durable() {
		err = led.repo.Objects.Settle(o.ID)
	}
	return o, err
}

// Tell has a person told, in words, what a save has been waiting for since 20 s, while it
// waits on. It may be called at any time before that.
func (led *Ledger) Tell(person func(what string)) { led.repo.Say.Store(&person) }

// signature waits for a git that signs, and no longer than ctx lasts. It tells a person what
// it waits for.
func (led *Ledger) signature(ctx context.Context, tell bool, sign func() ([]byte, error)) ([]byte, error) {
	type answer struct {
		out []byte
		err error
	}
	done := make(chan answer, 1)
	go func() {
		out, err := sign()
		done <- answer{out, err}
	}()
	var late <-chan time.Time
	who := led.repo.Say.Load()
	if tell && who != nil {
		late = led.repo.Options.After(signTell)
	}
	for {
		select {
		case a := <-done:
			return a.out, a.err
		case <-late:
			late = nil
			(*who)("waiting for a signature: the signing program may ask for a PIN in another window, or for a touch of your key. " +
				"Ctrl-C cancels; 'git -c sage.sign=false sage ...' saves unsigned")
		case <-ctx.Done():
			select {
			case a := <-done:
				return a.out, a.err
			case <-time.After(signGrace):
				return nil, context.Cause(ctx)
			}
		}
	}
}

func signerEnv(w *Work) []string {
	date := func(t time.Time) string { return fmt.Sprintf("@%d %s", t.Unix(), t.Format("-0700")) }
	thought := w.Now
	if w.C != nil {
		thought = w.C.Time.In(w.Now.Location())
	}
	return []string{
		"GIT_AUTHOR_NAME=" + w.Author.Name, "GIT_AUTHOR_EMAIL=" + w.Author.Mail,
		"GIT_AUTHOR_DATE=" + date(thought),
		"GIT_COMMITTER_NAME=" + w.Committer.Name, "GIT_COMMITTER_EMAIL=" + w.Committer.Mail,
		"GIT_COMMITTER_DATE=" + date(w.Now),
	}
}

// signerIsUsers refuses a signing program that the repository's own config
// names: that config may have come in an archive.
func (led *Ledger) signerIsUsers() error {
	c, err := led.repo.Configuration()
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(c.Scope)) {
		if !gitconfig.OfRepository(c.Scope[key]) || !strings.HasPrefix(key, "gpg.") {
			continue
		}
		if strings.HasSuffix(key, "program") || strings.HasSuffix(key, "command") {
			return fmt.Errorf("sign: %s is set in this repository; set it with 'git config --global' to sign checkpoints", key)
		}
	}
	return nil
}
