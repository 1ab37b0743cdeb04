package autosave

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/transcript"
)

// mostCalls is how many calls of tools are remembered until their answer comes: the
// client runs some ten at once.
const mostCalls = 200

// A conversationReader is a transcript as a conversation. What subagents say among themselves stands in
// files of their own and is left out: what they were asked and what they answered is here.
// So is what the model thinks, which the client keeps in part and encrypted.
type conversationReader struct {
	r     *transcript.Reader
	end   int64 // what lies behind it belongs to a later one
	tools map[string]string
	long  int // lines that were passed over, and are told of
}

// openTalk is a [gitstore.OpenTalk].
func openTalk(w gitstore.Wanted, place string) (gitstore.Talk, error) {
	var at transcript.Position
	_, _ = fmt.Sscan(place, &at.Offset, &at.Sum) // what is none begins anew
	r, err := transcript.Open(w.Transcript, at)
	if err != nil {
		return nil, err
	}
	r.WithHooks()
	return &conversationReader{r: r, end: w.Size, tools: map[string]string{}}, nil
}

func (t *conversationReader) Close() error { return t.r.Close() }

func (t *conversationReader) Place() string {
	at := t.r.Position()
	if at.Offset == 0 {
		return ""
	}
	return fmt.Sprint(at.Offset, " ", at.Sum)
}

func (t *conversationReader) Next() ([]gitstore.Utterance, error) {
	if t.r.Offset() >= t.end {
		return nil, io.EOF
	}
	rec, err := t.r.Next()
	if err != nil {
		return nil, err
	}
	var out []gitstore.Utterance
	if n := t.r.Skipped().Long; n > t.long {
		t.long = n
		out = append(out, gitstore.Utterance{Time: rec.Time, Who: gitstore.ByNote, Text: "a record of more than 10 MB is not kept"})
	}
	if rec.Side {
		return out, nil
	}
	said := t.said(rec)
	for i := range said {
		said[i].Time = rec.Time.UTC().Truncate(time.Second)
	}
	return append(out, said...), nil
}

// said is what a record says.
func (t *conversationReader) said(rec *transcript.Record) []gitstore.Utterance {
	switch {
	case rec.Type == "context":
		return one(gitstore.Utterance{Who: gitstore.ByContext, Tool: rec.Hook, Text: strings.TrimSpace(rec.Context())})
	case rec.Type == "system" && rec.Subtype == "compact_boundary":
		return one(gitstore.Utterance{Who: gitstore.ByNote, Text: "the client put a summary in the place of what came before"})
	case rec.Type == "system":
		return nil
	case rec.Summary:
		return one(gitstore.Utterance{Who: gitstore.BySummary, Text: rec.Text()})
	}
	var out []gitstore.Utterance
	for b := range rec.Blocks() {
		out = append(out, t.block(rec, b)...)
	}
	return out
}

func one(u gitstore.Utterance) []gitstore.Utterance { return []gitstore.Utterance{u} }

func (t *conversationReader) block(rec *transcript.Record, b transcript.Block) []gitstore.Utterance {
	switch b.Type {
	case "text":
		text := b.Text()
		if text == "" {
			return nil
		}
		return one(gitstore.Utterance{Who: speaker(rec, text), Text: text})
	case "tool_use":
		if len(t.tools) < mostCalls {
			t.tools[b.ID] = b.Name
		}
		return one(gitstore.Utterance{Who: gitstore.ByCall, Tool: b.Name, Call: b.ID, Text: plainJSON(b.Input())})
	case "tool_result":
		u := gitstore.Utterance{Who: gitstore.ByAnswer, Tool: t.tools[b.ID], Call: b.ID, Failed: b.Failed, Text: b.Text()}
		delete(t.tools, b.ID)
		for part := range b.Parts() {
			if n := part.Size(); n > 0 {
				u.Text = strings.TrimSpace(u.Text + "\n" + leftOut(part.Type, n))
			}
		}
		return one(u)
	}
	if n := b.Size(); n > 0 {
		return one(gitstore.Utterance{Who: gitstore.ByNote, Text: leftOut(b.Type, n)})
	}
	return nil
}

// speaker says who speaks in a text of a record.
func speaker(rec *transcript.Record, text string) gitstore.Speaker {
	switch {
	case rec.Type == "assistant":
		return gitstore.ByAgent
	case rec.Meta || !strings.Contains(rec.Said(), text): // the client, in a person's place
		return gitstore.ByContext
	}
	return gitstore.ByPerson
}

func leftOut(what string, bytes int) string {
	return fmt.Sprintf("[%s, %d bytes, is not kept]", what, bytes)
}

// plainJSON is JSON on one line, in which < and > stand as they are.
func plainJSON(in string) string {
	var v any
	if json.Unmarshal([]byte(in), &v) != nil {
		return in
	}
	out, err := encode(v)
	if err != nil {
		return in
	}
	return out
}

// encode is JSON for a model to read: < and > as they are.
func encode(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSpace(b.String()), err
}
