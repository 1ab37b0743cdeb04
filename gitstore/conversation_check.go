package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// conversations checks what is kept of conversations: that every ref can be followed to
// its beginning, and every chunk be read. Of several that are damaged each is named once.
func (k *checker) conversations() {
	if _, err := fsx.Lstat(k.s.privateDir()); errors.Is(err, fs.ErrNotExist) {
		return
	}
	k.privateLeftovers()
	refs, err := k.s.privateRefs()
	if err != nil {
		k.warn("conversation", "sage/private.git", plainError(err)+"; no conversation can be read", "give yourself the right to read '"+k.s.privateDir()+"'")
		return
	}
	b := k.s.privateGit().Batch()
	defer b.Close()
	seen, good := map[string]bool{}, map[string]bool{}
	for _, r := range refs {
		good[r.name] = true
		if err := k.conversation(b, r.id, seen); err != nil {
			k.lostConversation(r.name, err.Error())
		}
	}
	list, _ := fsx.ReadDir(k.s.privateDir(filepath.FromSlash(conversationsPrefix))) // else there is none
	for _, e := range list {
		if name := conversationsPrefix + e.Name(); !good[name] && !strings.HasPrefix(e.Name(), ".tmp-") {
			k.lostConversation(name, "holds no id")
		}
	}
}

func (k *checker) lostConversation(name, why string) {
	k.warn("conversation", "sage/private.git "+name, why+"; the rest of that conversation is lost, and no checkpoint is",
		fmt.Sprintf("rm -r '%s', and it begins anew", k.s.privateDir(filepath.FromSlash(name))))
}

// privateLeftovers names what a purge left that was killed.
func (k *checker) privateLeftovers() {
	for _, end := range []string{".new", ".gone"} {
		if _, err := fsx.Lstat(k.s.privateDir() + end); err == nil {
			k.warn("conversation", "sage/private.git"+end, "a purge that was killed, or is at work, has left it", "git sage purge --finish")
		}
	}
}

// conversation reads the newest chapters of a conversation, as many as are to be read.
func (k *checker) conversation(b *git.Batch, tip string, seen map[string]bool) error {
	for id, n := tip, 0; id != "" && k.ctx.Err() == nil && (k.most == 0 || n < k.most); n++ {
		h, err := readChapter(b, id)
		if err != nil {
			return err
		}
		for _, c := range h.chunks {
			if seen[c.id] || k.most > 0 {
				continue
			}
			seen[c.id] = true
			if _, err := b.Get(c.id); err != nil {
				return err
			}
		}
		id = h.parent
	}
	return nil
}

// conversationsWell says what is kept of conversations, and what waits to be. Where
// nothing is, nothing is said.
func (s *Store) conversationsWell(ctx context.Context) []Diagnosis {
	refs, err := s.privateRefs()
	if err != nil {
		return []Diagnosis{oddity("conversations", plainError(err)+": none can be read", "give yourself the right to read '"+s.privateDir()+"'")}
	}
	wanted, err := s.Wanted()
	if err != nil {
		return []Diagnosis{oddity("conversations", err.Error(), "git sage fsck")}
	}
	if len(refs) == 0 && len(wanted) == 0 {
		return nil
	}
	var size int64
	for _, f := range filesBelow(s.privateDir()) {
		if st, err := fsx.Lstat(f); err == nil {
			size += st.Size()
		}
	}
	say := []string{fmt.Sprintf("of %s, %s", count(len(refs), "session"), bytesOf(uint64(size)))}
	if len(wanted) > 0 {
		say = append(say, fmt.Sprintf("%d more to be kept", len(wanted)))
	}
	if late := lateOf(s, wanted); late > 0 {
		return []Diagnosis{oddity("conversations", strings.Join(say, "; ")+fmt.Sprintf("; %d wait for longer than an hour: see hooks.log in '%s'", late, s.dir()), "echo {} | git sage hook keeping")}
	}
	return ok("conversations", strings.Join(say, "; "))
}

// lateOf is how many should have been kept long since.
func lateOf(s *Store, list []Wanted) (n int) {
	for _, w := range list {
		if s.o.Now().Sub(w.Time).Hours() > 1 {
			n++
		}
	}
	return n
}
