package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/transcripts"
)

// conversations checks what is kept of conversations: that every ref can be followed to
// its beginning, and every chunk be read. Of several that are damaged each is named once.
func (k *checker) conversations() {
	if _, err := fsx.Lstat(k.s.transcripts.PrivateDir()); errors.Is(err, fs.ErrNotExist) {
		return
	}
	k.privateLeftovers()
	refs, err := k.s.transcripts.PrivateRefs()
	if err != nil {
		k.warn("conversation", "sage/private.git", repo.PlainError(err)+"; no conversation can be read", "give yourself the right to read '"+k.s.transcripts.PrivateDir()+"'")
		return
	}
	b := k.s.transcripts.PrivateGit().Batch()
	defer b.Close()
	seen, good := map[string]bool{}, map[string]bool{}
	for _, r := range refs {
		good[r.Name] = true
		if err := k.conversation(b, r.ID, seen); err != nil {
			k.lostConversation(r.Name, err.Error())
		}
	}
	list, _ := fsx.ReadDir(k.s.transcripts.PrivateDir(filepath.FromSlash(transcripts.ConversationsPrefix))) // else there is none
	for _, e := range list {
		if name := transcripts.ConversationsPrefix + e.Name(); !good[name] && !strings.HasPrefix(e.Name(), ".tmp-") {
			k.lostConversation(name, "holds no id")
		}
	}
}

func (k *checker) lostConversation(name, why string) {
	k.warn("conversation", "sage/private.git "+name, why+"; the rest of that conversation is lost, and no checkpoint is",
		fmt.Sprintf("rm -r '%s', and it begins anew", k.s.transcripts.PrivateDir(filepath.FromSlash(name))))
}

// privateLeftovers names what a purge left that was killed.
func (k *checker) privateLeftovers() {
	for _, end := range []string{".new", ".gone"} {
		if _, err := fsx.Lstat(k.s.transcripts.PrivateDir() + end); err == nil {
			k.warn("conversation", "sage/private.git"+end, "a purge that was killed, or is at work, has left it", "git sage purge --finish")
		}
	}
}

// conversation reads the newest chapters of a conversation, as many as are to be read.
func (k *checker) conversation(b *git.Batch, tip string, seen map[string]bool) error {
	for id, n := tip, 0; id != "" && k.ctx.Err() == nil && (k.most == 0 || n < k.most); n++ {
		h, err := transcripts.ReadChapter(b, id)
		if err != nil {
			return err
		}
		for _, c := range h.Chunks {
			if seen[c.ID] || k.most > 0 {
				continue
			}
			seen[c.ID] = true
			if _, err := b.Get(c.ID); err != nil {
				return err
			}
		}
		id = h.Parent
	}
	return nil
}

// LateOf is how many should have been kept long since.
func LateOf(s *Verifier, list []transcripts.Wanted) (n int) {
	for _, w := range list {
		if s.repo.Options.Now().Sub(w.Time).Hours() > 1 {
			n++
		}
	}
	return n
}
