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

// signWait is how long an automatic save waits for a signature. A key that
// wants a passphrase asks for it longer than that.
const signWait = 500 * time.Millisecond

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
	if w.automatic {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, signWait, errors.New("no signature within 500 ms"))
		defer cancel()
	}
	args := []string{"-c", "core.fsync=loose-object,reference", "commit-tree", "-S", "-F", "-"}
	for _, p := range c.parents {
		args = append(args, "-p", p)
	}
	out, err := s.git.With(signerEnv(w)...).Feed(ctx, []byte(c.message), append(args, c.tree)...)
	if err != nil {
		return loose.Object{}, fmt.Errorf("sign: %w", err)
	}
	o := loose.Object{ID: text(out)}
	if s.durable() {
		err = s.objects.Settle(o.ID)
	}
	return o, err
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
