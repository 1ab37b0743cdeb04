package transcripts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Part is the conversations as fsck, doctor, purge and upkeep see them.
func Part(t *Transcripts) part.Part { return conversations{t} }

type conversations struct{ t *Transcripts }

// Name is how messages call them.
func (conversations) Name() string { return "conversations" }

// Upkeep packs what is loose among them.
func (c conversations) Upkeep(ctx context.Context) error { return c.t.packConversations(ctx) }

// Check reads what is kept of conversations: every ref must lead to its beginning, and
// every chunk be readable. Of several that are damaged each is named once.
func (c conversations) Check(ctx context.Context, most int, found func(part.Finding)) error {
	t := c.t
	if _, err := fsx.Lstat(t.privateDir()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, end := range []string{".new", ".gone"} {
		if _, err := fsx.Lstat(t.privateDir() + end); err == nil {
			found(part.Warn("conversation", "sage/private.git"+end, "left by a purge that was killed or is still running", remedy.FinishPurge.On()))
		}
	}
	refs, err := t.privateRefs()
	if err != nil {
		found(part.Warn("conversation", "sage/private.git", wording.PlainError(err)+"; no conversation can be read", remedy.Typed("fix the permissions of '"+t.privateDir()+"'")))
		return nil
	}
	lost := func(name, why string) {
		found(part.Warn("conversation", "sage/private.git "+name, why+"; the rest of that conversation is lost, but no checkpoint",
			remedy.Typed(fmt.Sprintf("rm -r '%s' to start it over", t.privateDir(filepath.FromSlash(name))))))
	}
	b := t.privateGit().Batch()
	defer b.Close()
	seen, good := map[string]bool{}, map[string]bool{}
	for _, r := range refs {
		good[r.Name] = true
		if err := readable(ctx, b, r.ID, most, seen); err != nil {
			lost(r.Name, err.Error())
		}
	}
	list, _ := fsx.ReadDir(t.privateDir(filepath.FromSlash(conversationsPrefix))) // else there is none
	for _, e := range list {
		if name := conversationsPrefix + e.Name(); !good[name] && !strings.HasPrefix(e.Name(), ".tmp-") {
			lost(name, "not an id")
		}
	}
	return nil
}

// readable reads the newest chapters of a conversation, as many as are to be read, and
// what was not seen of their chunks if all are.
func readable(ctx context.Context, b *git.Batch, tip string, most int, seen map[string]bool) error {
	for id, n := tip, 0; id != "" && ctx.Err() == nil && (most == 0 || n < most); n++ {
		h, err := readChapter(b, id)
		if err != nil {
			return err
		}
		for _, c := range h.Chunks {
			if seen[c.ID] || most > 0 {
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

// Diagnose says what is kept of conversations, and what waits to be. Where nothing is,
// nothing is said.
func (c conversations) Diagnose(context.Context) []part.Diagnosis {
	t, name := c.t, c.Name()
	refs, err := t.privateRefs()
	if err != nil {
		return []part.Diagnosis{part.Oddity(name, wording.PlainError(err)+": none can be read", remedy.Typed("fix the permissions of '"+t.privateDir()+"'"))}
	}
	wanted, err := t.Wanted()
	if err != nil {
		return []part.Diagnosis{part.Oddity(name, err.Error(), remedy.Check.On())}
	}
	if len(refs) == 0 && len(wanted) == 0 {
		return nil
	}
	var size int64
	for _, f := range fsx.FilesBelow(t.privateDir()) {
		if st, err := fsx.Lstat(f); err == nil {
			size += st.Size()
		}
	}
	say := fmt.Sprintf("%s, %s", legible.Count(len(refs), "session"), wording.Bytes(uint64(size)))
	if len(wanted) > 0 {
		say += fmt.Sprintf("; %d not saved yet", len(wanted))
	}
	late := 0
	for _, w := range wanted {
		if t.repo.Options.Now().Sub(w.Time) > time.Hour {
			late++
		}
	}
	if late > 0 {
		return []part.Diagnosis{part.Oddity(name, say+fmt.Sprintf("; %d waiting for over an hour: see hooks.log in '%s'", late, t.repo.Dir()), remedy.KeepWaiting.On())}
	}
	return []part.Diagnosis{part.OK(name, say)}
}
