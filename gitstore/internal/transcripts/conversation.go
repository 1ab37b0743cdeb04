package transcripts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// An Utterance is one thing in a conversation: what somebody said, the call of a tool or
// its answer, or what was put in front of the agent. As JSON it is a line of a chunk.
type Utterance struct {
	Time   time.Time `json:"time,omitzero"`
	Who    Speaker   `json:"who"`
	Tool   string    `json:"tool,omitempty"` // of a call and its answer, or what put a context there
	Call   string    `json:"call,omitempty"` // id of the call
	Failed bool      `json:"failed,omitempty"`
	Text   string    `json:"text,omitempty"` // of a call: what the tool was given, as JSON
}

// A Speaker says what an utterance is.
type Speaker string

// The speakers.
const (
	ByPerson  Speaker = "person"
	ByAgent   Speaker = "agent"
	ByCall    Speaker = "call"    // the agent calls a tool
	ByAnswer  Speaker = "answer"  // of a tool
	ByContext Speaker = "context" // what a hook or the client put in front of the agent
	BySummary Speaker = "summary" // the client's, in the place of what came before
	ByNote    Speaker = "note"    // ours: something is not kept
)

// A Conversation is what was said until a checkpoint was saved, as far as the client had
// written it down by then. It lies in chunks of less than 10 MB each.
type Conversation struct {
	Checkpoint string    // id
	Session    string    // whose
	Kept       time.Time // when
	Chunks     int

	ids   []string
	batch *git.Batch
}

// ErrNoConversation says that of a checkpoint no conversation is kept.
var ErrNoConversation = errors.New("no conversation was saved")

// Conversation finds the conversation of a checkpoint. Close it.
func (t *Transcripts) Conversation(ctx context.Context, rev string) (*Conversation, error) {
	r, err := t.commits.Record(ctx, rev)
	if err != nil {
		return nil, err
	}
	none := fmt.Errorf("%s: %w", record.Short(r.ID), ErrNoConversation)
	if r.Session == "" {
		return nil, none
	}
	tip, err := t.conversationTip(r.Session)
	if err != nil || tip == "" {
		return nil, errors.Join(err, none)
	}
	c := &Conversation{Checkpoint: r.ID, Session: r.Session, batch: t.privateGit().Batch()}
	for id := tip; id != ""; {
		h, err := readChapter(c.batch, id)
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("read the conversation of %s: %w", record.Short(r.ID), err)
		}
		if h.Checkpoint != "" && t.rewritten.StandIn(h.Checkpoint) == r.ID {
			c.Kept, c.ids = h.at, h.chunkIDs()
			c.Chunks = len(c.ids)
			return c, nil
		}
		id = h.Parent
	}
	c.Close()
	return nil, none
}

// Close ends what reads the conversation.
func (c *Conversation) Close() error { return c.batch.Close() }

// Chunk returns what the i-th chunk holds, from 0. A line that is of a later version or
// damaged is left out.
func (c *Conversation) Chunk(i int) ([]Utterance, error) {
	o, err := c.batch.Get(c.ids[i])
	if err != nil {
		return nil, fmt.Errorf("read the conversation of %s: %w", record.Short(c.Checkpoint), err)
	}
	return parseChunk(o.Data), nil
}

func parseChunk(b []byte) (out []Utterance) {
	for line := range bytes.Lines(b) {
		var u Utterance
		if json.Unmarshal(line, &u) == nil && u.Who != "" {
			out = append(out, u)
		}
	}
	return out
}

// conversationTip is the newest chapter of a session's conversation, "" if there is none.
func (t *Transcripts) conversationTip(session string) (string, error) {
	refs, err := t.privateRefs()
	for _, r := range refs {
		if r.Name == conversationsPrefix+refname.Hash16(session) {
			return r.ID, nil
		}
	}
	return "", err
}

// A chapter is a commit of a conversation: all chunks until then.
type chapter struct {
	id, Parent, Session string
	Checkpoint          string // that was saved at its end; "" if it was cut because it was long
	place               string // how far the transcript was read, in the words of who reads it
	at                  time.Time
	Chunks              []gittree.Entry
}

func (h *chapter) chunkIDs() (ids []string) {
	for _, e := range h.Chunks {
		ids = append(ids, e.ID)
	}
	return ids
}

// readChapter reads a chapter and its list of chunks.
func readChapter(b *git.Batch, id string) (*chapter, error) {
	o, err := b.Get(id)
	if err != nil {
		return nil, err
	}
	h := parseChapter(o.Data)
	if o.Type != "commit" || h == nil {
		return nil, fmt.Errorf("%s is not a segment of a conversation", record.Short(id))
	}
	h.id = id
	t, err := b.Get(id + "^{tree}")
	if err == nil {
		h.Chunks = gittree.Parse(t.Data, len(id)/2)
	}
	return h, err
}

// parseChapter reads the commit of a chapter; nil if it is none.
func parseChapter(data []byte) *chapter {
	var h chapter
	head, msg, ok := strings.Cut(string(data), "\n\n")
	at := strings.LastIndex(msg, "\n\nSage-Format: ")
	if !ok || at < 0 {
		return nil
	}
	for l := range strings.Lines(head) {
		if p, ok := strings.CutPrefix(strings.TrimSpace(l), "parent "); ok {
			h.Parent = p
		} else if _, stamp, ok := strings.Cut(l, "> "); ok && strings.HasPrefix(l, "committer ") {
			h.at = record.Unix(strings.Fields(stamp + " 0")[0])
		}
	}
	for l := range strings.Lines(msg[at+2:]) {
		switch key, v, _ := strings.Cut(strings.TrimSpace(l), ": "); key {
		case "Sage-Session":
			h.Session = record.UnescapeTrailer(v)
		case "Sage-Checkpoint":
			h.Checkpoint = v
		case "Sage-Place":
			h.place = record.UnescapeTrailer(v)
		}
	}
	return &h
}
