package gitstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
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

// signs reports whether checkpoints are signed: sage.sign, else what the user
// does with commits.
func (s *Store) signs() bool {
	if v, ok := s.setting("sage.sign"); ok {
		if on, ok := boolean(v); ok {
			return on
		}
	}
	return s.flag("commit.gpgsign", false)
}

// commit writes the commit, signed if that is wished. A signature needs git,
// which runs the user's signing program; without one the object is ours to write.
func (s *Store) commit(ctx context.Context, w *work, c commit) (loose.Object, error) {
	if w.sign {
		o, err := s.signed(ctx, w, c)
		if err == nil || !w.automatic {
			return o, err
		}
		w.sign = false
		w.saved.Warnings = append(w.saved.Warnings, "not signed: "+err.Error())
	}
	o := s.objects.New("commit", c.encode())
	return o, s.put(ctx, w.blob, w.tree, o)
}

func (s *Store) signed(ctx context.Context, w *work, c commit) (loose.Object, error) {
	if err := s.signerIsUsers(); err != nil {
		return loose.Object{}, err
	}
	most, late := signMost, "no signature within 10 minutes; nothing was saved"
	if w.automatic {
		most, late = signWait, "no signature within 500 ms"
	}
	ctx, cancel := context.WithTimeoutCause(ctx, most, errors.New(late))
	defer cancel()
	args := []string{"-c", "core.fsync=loose-object,reference", "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S", "-F", "-"}
	for _, p := range c.parents {
		args = append(args, "-p", p)
	}
	out, err := s.signature(ctx, !w.automatic, func() ([]byte, error) {
		return s.git.With(signerEnv(w)...).Feed(ctx, []byte(c.message), append(args, c.tree)...)
	})
	if err != nil {
		return loose.Object{}, fmt.Errorf("sign: %w", err)
	}
	o := loose.Object{ID: text(out)}
	if s.durable() {
		err = s.objects.Settle(o.ID)
	}
	return o, err
}

// Tell has a person told, in words, what a save has been waiting for since 20 s, while it
// waits on. It may be called at any time before that.
func (s *Store) Tell(person func(what string)) { s.tell.Store(&person) }

// signature waits for a git that signs, and no longer than ctx lasts. It tells a person what
// it waits for.
func (s *Store) signature(ctx context.Context, tell bool, sign func() ([]byte, error)) ([]byte, error) {
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
	who := s.tell.Load()
	if tell && who != nil {
		late = s.o.After(signTell)
	}
	for {
		select {
		case a := <-done:
			return a.out, a.err
		case <-late:
			late = nil
			(*who)("waiting for your signature: the program that signs commits may ask for a pin in another window, or for a touch of your key. " +
				"Ctrl-C ends it; 'git -c sage.sign=false sage ...' saves without")
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

func signerEnv(w *work) []string {
	date := func(t time.Time) string { return fmt.Sprintf("@%d %s", t.Unix(), t.Format("-0700")) }
	return []string{
		"GIT_AUTHOR_NAME=" + w.author.name, "GIT_AUTHOR_EMAIL=" + w.author.mail,
		"GIT_AUTHOR_DATE=" + date(w.c.Time.In(w.now.Location())),
		"GIT_COMMITTER_NAME=" + w.committer.name, "GIT_COMMITTER_EMAIL=" + w.committer.mail,
		"GIT_COMMITTER_DATE=" + date(w.now),
	}
}

// signerIsUsers refuses a signing program that the repository's own config
// names: that config may have come in an archive.
func (s *Store) signerIsUsers() error {
	c, err := s.config()
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(c.scope)) {
		if !ofRepository(c.scope[key]) || !strings.HasPrefix(key, "gpg.") {
			continue
		}
		if strings.HasSuffix(key, "program") || strings.HasSuffix(key, "command") {
			return fmt.Errorf("sign: %s is set in this repository; set it with 'git config --global' to sign checkpoints", key)
		}
	}
	return nil
}
