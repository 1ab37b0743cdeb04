package transcripts

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/redact"
)

// A Talk is a transcript that is read on. Its errors are those of the file.
type Talk interface {
	// Next returns what the next record says, which may be nothing, and io.EOF at the end.
	Next() ([]Utterance, error)
	// Place is how far it was read, in at most 200 bytes on a line; "" is not at all.
	Place() string
	Close() error
}

// OpenTalk opens the transcript of w at a place that its Talk named, "" for its beginning.
// Where the file has not what was read of it the Talk begins anew, which its first Place
// says. It ends where the transcript did when w was noted.
type OpenTalk func(w Wanted, place string) (Talk, error)

// Kept says what was kept of conversations.
type Kept struct {
	Checkpoints []string // ids
	Utterances  int
	Bytes       int64         // of text that was looked at
	Took        time.Duration // looking for secrets
	Found       []redact.Finding
}

// KeepConversations keeps all that is wanted, one after the other, until ctx ends.
//
// Each stands in chapters, of which every one adds what was said since the one before:
// ten checkpoints of a session take the room of one conversation. A long one is cut into
// several, so that who is killed has not read in vain. First the objects are written, then
// the ref, both durably, and then it is not wanted any more: who is killed leaves nothing
// that is half there, and the next one goes on. A transcript that is gone is no error, and
// neither is another process that keeps them just now.
func (t *Transcripts) KeepConversations(ctx context.Context, open OpenTalk) (kept Kept, err error) {
	if err := t.repo.Enabled(); err != nil {
		return kept, err
	}
	wait, cancel := context.WithTimeout(ctx, keepWait)
	defer cancel()
	done, err := t.lockPrivate(wait)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return kept, nil // who is at it looks again in the end
	}
	if err != nil {
		return kept, err
	}
	defer done()
	for tried := map[string]bool{}; ; {
		list, werr := t.Wanted()
		list = slices.DeleteFunc(list, func(w Wanted) bool { return tried[w.Checkpoint] })
		if werr != nil || len(list) == 0 || ctx.Err() != nil {
			return kept, cmp.Or(err, werr, ctx.Err())
		}
		for _, w := range list { // more may be wanted meanwhile
			tried[w.Checkpoint] = true
			if kerr := t.keepOne(ctx, w, open, &kept); kerr != nil && err == nil {
				err = fmt.Errorf("save the conversation of %s: %w", record.Short(w.Checkpoint), kerr)
			}
		}
	}
}

// keepWait is above what passes between the last look for what is wanted and the end of
// who looked.
const keepWait = 5 * time.Second

// keepOne keeps one conversation, unless its checkpoint or its transcript is gone.
func (t *Transcripts) keepOne(ctx context.Context, w Wanted, open OpenTalk, kept *Kept) error {
	now, gone := t.rewritten.Purged(w.Checkpoint)
	if gone || now == "" {
		return t.unwant(w.Checkpoint)
	}
	k, err := t.newKeeper(w, kept)
	if err != nil {
		return err
	}
	defer k.batch.Close()
	if k.last.Checkpoint != w.Checkpoint { // else its ref moved, and the keeper was killed
		err = k.read(ctx, open)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return err
	}
	return t.unwant(w.Checkpoint)
}

// maxChunk is from how many bytes on a chunk is written. What one utterance takes is less
// than maxSaid times six, as JSON; together they stay below 10 MB.
const maxChunk = 3 << 20

// A keeper writes what a session said since its last chapter.
type keeper struct {
	s       *Transcripts
	w       Wanted
	batch   interface{ Close() error }
	objects loose.Store
	last    chapter
	chunks  []gittree.Entry
	buf     bytes.Buffer
	floor   time.Time // what was said until then is not kept
	barred  bool      // and that was noted
	kept    *Kept
}

func (t *Transcripts) newKeeper(w Wanted, kept *Kept) (*keeper, error) {
	if err := t.makePrivate(t.privateDir()); err != nil {
		return nil, err
	}
	floor, err := t.floor()
	if err != nil {
		return nil, err
	}
	tip, err := t.conversationTip(w.Session)
	if err != nil {
		return nil, err
	}
	batch := t.privateGit().Batch()
	k := &keeper{s: t, w: w, batch: batch, objects: t.privateObjects(t.privateDir()), floor: floor, kept: kept}
	if tip == "" {
		return k, nil
	}
	h, err := readChapter(batch, tip)
	if errors.Is(err, git.ErrMissing) { // somebody took it away: it begins anew
		h, err = &chapter{}, nil
	}
	if err != nil {
		batch.Close()
		return nil, err
	}
	k.last, k.chunks = *h, h.Chunks
	return k, nil
}

// read reads the transcript on, and writes what it says.
func (k *keeper) read(ctx context.Context, open OpenTalk) error {
	t, err := open(k.w, k.last.place)
	if err != nil {
		return err
	}
	defer t.Close()
	if t.Place() != k.last.place { // another file: it begins anew
		k.chunks, k.last.Chunks = nil, nil
	}
	for {
		said, err := t.Next()
		if err == io.EOF {
			break
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, u := range said {
			if err := k.say(u); err != nil {
				return err
			}
		}
		if len(k.chunks) > len(k.last.Chunks) {
			if err := k.chapter("", t.Place()); err != nil {
				return err
			}
		}
	}
	return k.chapter(k.w.Checkpoint, t.Place())
}

// say adds an utterance to the chunk.
func (k *keeper) say(u Utterance) error {
	if !k.floor.IsZero() && !u.Time.After(k.floor) {
		if k.barred {
			return nil
		}
		k.barred = true
		u = Utterance{Time: k.floor, Who: ByNote, Text: "what was said before the last purge is not kept"}
	}
	u, found, bytes, took := k.s.clean(u)
	k.kept.Utterances++
	k.kept.Bytes += int64(bytes)
	k.kept.Took += took
	k.kept.Found = redact.Merge(k.kept.Found, found)
	if err := encodeUtterance(&k.buf, u); err != nil || k.buf.Len() < maxChunk {
		return err
	}
	return k.cut()
}

// cut writes what was said as a chunk, which the next chapter will have.
func (k *keeper) cut() error {
	if k.buf.Len() == 0 {
		return nil
	}
	o := k.objects.New("blob", k.buf.Bytes())
	if err := k.objects.Write(o); err != nil {
		return err
	}
	k.buf.Reset()
	k.chunks = append(slices.Clone(k.chunks), gittree.Entry{Mode: "100644", Name: chunkName(len(k.chunks)), ID: o.ID})
	return nil
}

// encodeUtterance writes the line of an utterance.
func encodeUtterance(b *bytes.Buffer, u Utterance) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc.Encode(u)
}

// chapter writes what was said as a chapter, and moves the session's ref to it.
func (k *keeper) chapter(checkpoint, place string) error {
	if err := k.cut(); err != nil {
		return err
	}
	h := chapter{Parent: k.last.id, Session: k.w.Session, Checkpoint: checkpoint, place: place, at: k.s.repo.Options.Now(), Chunks: k.chunks}
	tree := k.objects.New("tree", gittree.Encode(k.chunks...))
	c := k.objects.New("commit", h.Encode(tree.ID))
	h.id = c.ID
	if err := k.objects.Write(tree, c); err != nil {
		return err
	}
	if err := setPrivateRef(k.s.privateDir(), conversationsPrefix+refname.Hash16(k.w.Session), c.ID); err != nil {
		return err
	}
	k.last = h
	if checkpoint != "" {
		k.kept.Checkpoints = append(k.kept.Checkpoints, checkpoint)
	}
	return fsx.SyncDir(k.s.privateDir("refs"))
}

func chunkName(i int) string { return fmt.Sprintf("%08d.jsonl", i+1) }

// Encode is the commit of a chapter.
func (h *chapter) Encode(tree string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "conversation of %s\n\nSage-Format: %d\nSage-Kind: conversation\nSage-Session: %s\n", refname.Hash16(h.Session), record.PlainFormat(), record.EscapeTrailer(h.Session))
	if h.Checkpoint != "" {
		fmt.Fprintf(&b, "Sage-Checkpoint: %s\n", h.Checkpoint)
	}
	if h.place != "" {
		fmt.Fprintf(&b, "Sage-Place: %s\n", record.EscapeTrailer(h.place))
	}
	c := record.Commit{Tree: tree, Author: identity.Nobody.Stamp(h.at.UTC()), Committer: identity.Nobody.Stamp(h.at.UTC()), Message: b.String()}
	if h.Parent != "" {
		c.Parents = []string{h.Parent}
	}
	return c.Encode()
}
