package transcripts

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// What a purge takes out of history it takes out of conversations, too: of a text what
// matches; of a checkpoint the whole conversation of the session that saved it, in which it
// came about, and in those of others each utterance that names it, as the briefs do that
// were put in front of them. They are written anew into a repository that takes the place
// of the old one, so that nothing of it stays in a pack. What was said before the purge is
// in the client's own file, and not read from there again.

// Clean carries out a step of a purge.
func (c conversations) Clean(ctx context.Context, r part.Rule) (out part.Cleaned, err error) {
	v := newFilter(c.t, r)
	if _, err := fsx.Lstat(c.t.privateDir("HEAD")); err == nil && r.Path != "" {
		out.Beyond = []remedy.Note{{Text: "saved conversations that quote the file", Remedies: []remedy.Remedy{remedy.PurgeMatch.On()}}}
	}
	switch r.Step {
	case part.Remove:
		out.Held, err = v.remove(ctx)
		return out, err
	case part.Plan:
		if r.Match != "" {
			out.Unread, err = c.t.waiting(ctx)
		}
	}
	if err == nil {
		out.Held, err = v.find(ctx)
	}
	return out, err
}

// A filter is what a purge does to conversations.
type filter struct {
	t    *Transcripts
	rule part.Rule
	gone map[string]bool // first digits of the ids of checkpoints that are gone
}

// namedBy is how many digits of an id name a checkpoint in a conversation.
const namedBy = 8

func newFilter(t *Transcripts, r part.Rule) *filter {
	v := &filter{t: t, rule: r, gone: map[string]bool{}}
	for id := range r.Gone {
		v.gone[id[:namedBy]] = true
	}
	return v
}

// matches reports whether a text holds what is purged.
func (v *filter) matches(text string) bool { return v.rule.Holds(text) || v.names(text) }

// names reports whether a text names a checkpoint that is gone.
func (v *filter) names(text string) bool {
	if len(v.gone) == 0 {
		return false
	}
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] >= 'a' && text[end] <= 'f') {
			end++
		}
		if end-at >= namedBy && v.gone[text[at:at+namedBy]] {
			return true
		}
		at = end + 1
	}
	return false
}

// mustGo reports whether an object of the repository holds what is purged: as it stands
// there, or as it is read.
func (v *filter) mustGo(typ string, data []byte) bool {
	if typ == "commit" {
		h := parseChapter(data)
		return h != nil && h.Checkpoint != "" && (v.gone[h.Checkpoint[:min(namedBy, len(h.Checkpoint))]] || v.matches(h.Session))
	}
	if typ != "blob" {
		return false
	}
	if v.matches(string(data)) {
		return true
	}
	return slices.ContainsFunc(parseChunk(data), func(u Utterance) bool { return v.matches(u.Text) || v.matches(u.Tool) })
}

// find names the objects that hold what is purged.
func (v *filter) find(ctx context.Context) (held []part.Left, err error) {
	if _, err := fsx.Lstat(v.t.privateDir("HEAD")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	remove := "a conversation still holds it; 'rm -r " + strings.ReplaceAll(fmt.Sprintf("%q", v.t.privateDir()), `"`, "'") + "' deletes only conversations"
	err = v.t.privateGit().EveryObject(ctx, true, func(id, typ string, data []byte) {
		if v.mustGo(typ, data) {
			held = append(held, part.Left{Name: "private.git " + id, Why: remove})
		}
	})
	return held, err
}

// waiting is how many conversations nobody has read yet. One that somebody reads just now
// is waited for: what comes of it is searched like the others.
func (t *Transcripts) waiting(ctx context.Context) (int, error) {
	list, err := t.Wanted()
	if err != nil || len(list) == 0 {
		return 0, err
	}
	wait, cancel := context.WithTimeout(ctx, keeperWait)
	defer cancel()
	if done, err := t.lockPrivate(wait); err == nil { // else it stays counted
		done()
	}
	list, err = t.Wanted()
	return len(list), cmp.Or(err, ctx.Err())
}

// keeperWait is for how long who keeps conversations is waited for.
const keeperWait = 20 * time.Second

// remove takes what is purged out of the conversations, and returns what held it. All of
// it may be done again.
func (v *filter) remove(ctx context.Context) ([]part.Left, error) {
	if err := v.t.raiseFloor(); err != nil {
		return nil, err
	}
	done, err := v.t.lockPrivate(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	held, err := v.find(ctx)
	if err != nil || len(held) == 0 {
		return nil, err
	}
	fresh := v.t.privateDir() + ".new"
	if err := v.rewrite(fresh); err != nil {
		return nil, err
	}
	return held, v.t.replacePrivate(fresh)
}

// rewrite writes what stays of the conversations into a repository of its own.
func (v *filter) rewrite(fresh string) error {
	if err := v.t.makePrivate(fresh); err != nil {
		return err
	}
	refs, err := v.t.privateRefs()
	if err != nil {
		return err
	}
	w := &rewriter{v: v, from: v.t.privateGit().Batch(), to: v.t.privateObjects(fresh), chunks: map[string]string{}}
	defer w.from.Close()
	for _, r := range refs {
		tip, err := w.conversation(r.ID)
		if err == nil && tip != "" {
			err = setPrivateRef(fresh, r.Name, tip)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A rewriter writes conversations anew, each chunk once.
type rewriter struct {
	v      *filter
	from   *git.Batch
	to     loose.Store
	chunks map[string]string // new ids by old ones
}

// conversation writes the conversation that ends at tip and returns its new tip, "" if
// nothing of it stays. A part that cannot be read goes: nobody knows what is in it.
func (w *rewriter) conversation(tip string) (string, error) {
	var all []*chapter
	for id := tip; id != ""; {
		h, err := readChapter(w.from, id)
		if err != nil {
			break
		}
		if h.Checkpoint != "" && w.v.gone[h.Checkpoint[:min(namedBy, len(h.Checkpoint))]] {
			return "", nil
		}
		all, id = append(all, h), h.Parent
	}
	parent := ""
	for _, h := range slices.Backward(all) {
		h.Parent = parent
		h.Session = w.v.rule.Without(h.Session)
		var err error
		if parent, err = w.chapter(h); err != nil {
			return "", err
		}
	}
	return parent, nil
}

func (w *rewriter) chapter(h *chapter) (string, error) {
	chunks := slices.Clone(h.Chunks)
	for i := range chunks {
		id, err := w.chunk(chunks[i].ID)
		if err != nil {
			return "", err
		}
		chunks[i].ID = id
	}
	tree := w.to.New("tree", gittree.Encode(chunks...))
	c := w.to.New("commit", h.Encode(tree.ID))
	return c.ID, w.to.Write(tree, c)
}

func (w *rewriter) chunk(id string) (string, error) {
	if now := w.chunks[id]; now != "" {
		return now, nil
	}
	o, err := w.from.Get(id)
	if errors.Is(err, git.ErrMissing) {
		err = nil
	}
	if err != nil {
		return "", err
	}
	b, err := w.v.filtered(o.Data)
	if err != nil {
		return "", err
	}
	n := w.to.New("blob", b)
	w.chunks[id] = n.ID
	return n.ID, w.to.Write(n)
}

// filtered is a chunk without what is purged. A line that cannot be read goes.
func (v *filter) filtered(chunk []byte) ([]byte, error) {
	var out bytes.Buffer
	for line := range bytes.Lines(chunk) {
		var u Utterance
		if json.Unmarshal(line, &u) != nil {
			continue
		}
		u.Text, u.Tool, u.Call = v.rule.Without(u.Text), v.rule.Without(u.Tool), v.rule.Without(u.Call)
		if v.names(u.Text) || v.names(u.Tool) || v.names(u.Call) {
			u = Utterance{Time: u.Time, Who: ByNote, Text: "what was here named a checkpoint that was purged"}
		}
		if err := encodeUtterance(&out, u); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
