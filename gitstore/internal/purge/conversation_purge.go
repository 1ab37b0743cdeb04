package purge

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
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/transcripts"
)

// What a purge takes out of history it takes out of conversations, too: of a text what
// matches; of a checkpoint the whole conversation of the session that saved it, in which it
// came about, and in those of others each utterance that names it, as the briefs do that
// were put in front of them. They are written anew into a repository that takes the place
// of the old one, so that nothing of it stays in a pack. What was said before the purge is
// in the client's own file, and not read from there again.

// A conversationFilter is what a purge does to conversations.
type conversationFilter struct {
	p    *purge
	gone map[string]bool // first digits of the ids of checkpoints that are gone
}

// namedBy is how many digits of an id name a checkpoint in a conversation.
const namedBy = 8

func (p *purge) conversationFilter() *conversationFilter {
	v := &conversationFilter{p: p, gone: map[string]bool{}}
	for id, x := range p.s.rewritten.Purges() { // also of one that was killed, and of somebody else's
		if x.Gone && p.req.Match == "" && p.req.Path == "" {
			v.gone[id[:namedBy]] = true
		}
	}
	for id := range p.clean.Rule.Drop {
		v.gone[id[:namedBy]] = true
	}
	return v
}

// matches reports whether a text holds what is purged.
func (v *conversationFilter) matches(text string) bool {
	m := v.p.clean.Rule.Match
	return m != nil && len(v.p.outsideIDs(m, text)) > 0 || v.names(text)
}

// names reports whether a text names a checkpoint that is gone.
func (v *conversationFilter) names(text string) bool {
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
func (v *conversationFilter) mustGo(typ string, data []byte) bool {
	if typ == "commit" {
		h := transcripts.ParseChapter(data)
		return h != nil && h.Checkpoint != "" && (v.gone[h.Checkpoint[:min(namedBy, len(h.Checkpoint))]] || v.matches(h.Session))
	}
	if typ != "blob" {
		return false
	}
	if v.matches(string(data)) {
		return true
	}
	return slices.ContainsFunc(transcripts.ParseChunk(data), func(u transcripts.Utterance) bool { return v.matches(u.Text) || v.matches(u.Tool) })
}

// conversationsToPurge are the objects that hold what is purged.
func (v *conversationFilter) conversationsToPurge(ctx context.Context) (ids []string, err error) {
	if _, err := fsx.Lstat(v.p.s.transcripts.PrivateDir("HEAD")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	err = everyObject(ctx, v.p.s.transcripts.PrivateGit(), true, func(id, typ string, data []byte) {
		if v.mustGo(typ, data) {
			ids = append(ids, id)
		}
	})
	return ids, err
}

// waiting is how many conversations nobody has read yet. One that somebody reads just now
// is waited for: what comes of it is searched like the others.
func (p *purge) waiting(ctx context.Context) (int, error) {
	if p.req.Match == "" {
		return 0, nil
	}
	list, err := p.s.transcripts.Wanted()
	if err != nil || len(list) == 0 {
		return 0, err
	}
	wait, cancel := context.WithTimeout(ctx, keeperWait)
	defer cancel()
	if done, err := p.s.transcripts.LockPrivate(wait); err == nil { // else it stays counted
		done()
	}
	list, err = p.s.transcripts.Wanted()
	return len(list), cmp.Or(err, ctx.Err())
}

// keeperWait is for how long who keeps conversations is waited for.
const keeperWait = 20 * time.Second

// cleanConversations takes what is purged out of the conversations, and says of how many
// objects. All of it may be done again.
func (p *purge) cleanConversations(ctx context.Context) (int, error) {
	if err := p.s.transcripts.RaiseFloor(); err != nil {
		return 0, err
	}
	done, err := p.s.transcripts.LockPrivate(ctx)
	if err != nil {
		return 0, err
	}
	defer done()
	v := p.conversationFilter()
	ids, err := v.conversationsToPurge(ctx)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	fresh := p.s.transcripts.PrivateDir() + ".new"
	if err := v.rewrite(fresh); err != nil {
		return 0, err
	}
	return len(ids), p.s.transcripts.ReplacePrivate(fresh)
}

// rewrite writes what stays of the conversations into a repository of its own.
func (v *conversationFilter) rewrite(fresh string) error {
	s := v.p.s
	if err := s.transcripts.MakePrivate(fresh); err != nil {
		return err
	}
	refs, err := s.transcripts.PrivateRefs()
	if err != nil {
		return err
	}
	w := &rewriter{v: v, from: s.transcripts.PrivateGit().Batch(), to: s.transcripts.PrivateObjects(fresh), chunks: map[string]string{}}
	defer w.from.Close()
	for _, r := range refs {
		tip, err := w.conversation(r.ID)
		if err == nil && tip != "" {
			err = transcripts.SetPrivateRef(fresh, r.Name, tip)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A rewriter writes conversations anew, each chunk once.
type rewriter struct {
	v      *conversationFilter
	from   *git.Batch
	to     loose.Store
	chunks map[string]string // new ids by old ones
}

// conversation writes the conversation that ends at tip and returns its new tip, "" if
// nothing of it stays. A part that cannot be read goes: nobody knows what is in it.
func (w *rewriter) conversation(tip string) (string, error) {
	var all []*transcripts.Chapter
	for id := tip; id != ""; {
		h, err := transcripts.ReadChapter(w.from, id)
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
		h.Session = w.v.cleaned(h.Session)
		var err error
		if parent, err = w.chapter(h); err != nil {
			return "", err
		}
	}
	return parent, nil
}

func (w *rewriter) chapter(h *transcripts.Chapter) (string, error) {
	chunks := slices.Clone(h.Chunks)
	for i := range chunks {
		id, err := w.chunk(chunks[i].ID)
		if err != nil {
			return "", err
		}
		chunks[i].ID = id
	}
	tree := w.to.New("tree", repo.EncodeTree(chunks...))
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
func (v *conversationFilter) filtered(chunk []byte) ([]byte, error) {
	var out bytes.Buffer
	for line := range bytes.Lines(chunk) {
		var u transcripts.Utterance
		if json.Unmarshal(line, &u) != nil {
			continue
		}
		u.Text, u.Tool, u.Call = v.cleaned(u.Text), v.cleaned(u.Tool), v.cleaned(u.Call)
		if v.names(u.Text) || v.names(u.Tool) || v.names(u.Call) {
			u = transcripts.Utterance{Time: u.Time, Who: transcripts.ByNote, Text: "what was here named a checkpoint that was purged"}
		}
		if err := transcripts.EncodeUtterance(&out, u); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// cleaned is a text without what matches.
func (v *conversationFilter) cleaned(text string) string {
	if m := v.p.clean.Rule.Match; m != nil {
		return v.p.clean.Replace(m, text)
	}
	return text
}

// proveConversations looks for what is purged in what is left.
func (p *purge) proveConversations(ctx context.Context, out *Purged) error {
	ids, err := p.conversationFilter().conversationsToPurge(ctx)
	for _, id := range ids {
		out.Left = append(out.Left, PurgeLeft{"private.git " + id, "a conversation still holds it: 'rm -r " + strings.ReplaceAll(fmt.Sprintf("%q", p.s.transcripts.PrivateDir()), `"`, "'") + "' loses conversations only"})
	}
	return err
}
