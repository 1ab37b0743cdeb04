package distill

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/recall/brief"
)

// What a model is given of a conversation, in bytes.
const (
	maxConversation = 150_000 // some 40,000 tokens; what is older is left out
	maxSaid         = 16 << 10
	maxSummary      = 12 << 10
	maxCall         = 200
	maxFailed       = 600
)

// A Conversation is what a model is given of a session, without secrets.
type Conversation struct {
	Text string // a paragraph each, with who says it in front
	Cut  bool   // what came before is left out

	said     string   // by persons and the agent, one space between words
	speeches []speech // the same, and what calls that failed printed, for quotations
}

// A Part says which part of a transcript is read.
type Part struct {
	File  string
	From  int64     // bytes
	Until int64     // bytes; 0 is the end
	Since time.Time // what was said before is left out; zero is nothing
}

// A paragraph is one thing in a conversation.
type paragraph struct {
	text   string
	said   bool
	person bool // who said it
	failed bool
}

// Read reads a part of a transcript. Of a long one it keeps the end.
func Read(ctx context.Context, p Part, r *redact.Redactor, cost *transcript.Cost) (Conversation, error) {
	file, err := transcript.Open(p.File, transcript.Position{})
	if err != nil {
		return Conversation{}, err
	}
	defer file.Close()
	l := listener{redact: r, cost: cost, tools: map[string]string{}}
	for p.Until == 0 || file.Offset() < p.Until {
		rec, err := file.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return Conversation{}, err
		}
		if rec.Offset >= p.From && (p.Since.IsZero() || rec.Time.After(p.Since)) {
			l.hear(rec)
		}
	}
	return l.conversation(), nil
}

// A listener collects paragraphs, and forgets the oldest of too many.
type listener struct {
	redact *redact.Redactor
	cost   *transcript.Cost
	tools  map[string]string // names, by the id of the call
	all    []paragraph
	size   int
	cut    bool
}

// hear takes up what a record says. What a subagent says among itself, and what the client
// puts in a person's place, is left out.
func (l *listener) hear(rec *transcript.Record) {
	switch {
	case rec.Side:
	case rec.Summary:
		l.add("summary", rec.Text(), maxSummary, paragraph{})
	case rec.Said() != "":
		l.add("person", rec.Said(), maxSaid, paragraph{said: true, person: true})
	case rec.Type == "assistant":
		l.add("agent", rec.Text(), maxSaid, paragraph{said: true})
	}
	if rec.Side {
		return
	}
	for b := range rec.Blocks() {
		switch {
		case b.Type == "tool_use":
			l.tools[b.ID] = b.Name
			l.add("tool "+b.Name, purpose(b.Input()), maxCall, paragraph{})
		case b.Type == "tool_result" && b.Failed:
			l.add("failed "+l.tools[b.ID], b.Text(), maxFailed, paragraph{failed: true})
		}
	}
}

// purpose is what a tool is asked for, as far as one line tells.
func purpose(input string) string {
	var in map[string]any
	if json.Unmarshal([]byte(input), &in) != nil {
		return ""
	}
	for _, key := range []string{"command", "file_path", "notebook_path", "pattern", "query", "url", "description"} {
		if s, ok := in[key].(string); ok && s != "" {
			return legible.OneLine(s)
		}
	}
	return ""
}

// add appends a paragraph without its secrets. Of one of which the redactor does not know
// what to think nothing is added.
func (l *listener) add(who, text string, most int, p paragraph) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	began := time.Now()
	head, tail, found, err := l.redact.Ends(text, most*3/4, most/4)
	l.cost.Add(len(text), time.Since(began), found)
	if err != nil {
		return
	}
	if tail != "" {
		head += "\n[…]\n" + tail
	}
	p.text = brief.Defuse("[" + who + "] " + head)
	l.all = append(l.all, p)
	for l.size += len(p.text) + 2; l.size > maxConversation; l.all = l.all[1:] {
		l.size -= len(l.all[0].text) + 2
		l.cut = true
	}
}

func (l *listener) conversation() Conversation {
	c := Conversation{Cut: l.cut}
	var text, said strings.Builder
	for _, p := range l.all {
		text.WriteString(p.text + "\n\n")
		if !p.said && !p.failed {
			continue
		}
		_, words, _ := strings.Cut(p.text, "] ")
		c.speeches = append(c.speeches, speech{text: oneSpace(words), person: p.person, failed: p.failed, raw: words})
		if p.said {
			said.WriteString(oneSpace(words) + "\n")
		}
	}
	c.Text, c.said = strings.TrimSpace(text.String()), said.String()
	return c
}

// Said counts the bytes that persons and the agent said.
func (c Conversation) Said() int { return len(c.said) }

// fenced is the conversation between tags that nothing in it can close: their name is
// derived from it.
func (c Conversation) fenced() string {
	tag := fmt.Sprintf("conversation-%x", sha256.Sum256([]byte(c.Text)))[:len("conversation-")+12]
	note := ""
	if c.Cut {
		note = "(What came before is left out.)\n"
	}
	return fmt.Sprintf("<%s>\n%s%s\n</%s>\n\nDistil the conversation between the tags, as you were told.", tag, note, c.Text, tag)
}

// oneSpace is a text with one space between its words.
func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }
