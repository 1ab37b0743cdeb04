package admission

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// A mismatchError says that the message of a checkpoint does not tell what its text says:
// lists would show another thing than what agents are given and people confirm.
type mismatchError struct {
	id               string
	field            string
	told, checkpoint string
}

func (e *mismatchError) Error() string {
	const most = 72
	quoted := func(s string) string {
		if s = legible.OneLine(s); s == "" {
			return "nothing"
		}
		return "'" + cut.Runes(s, most) + "'"
	}
	return fmt.Sprintf("the message of %s contradicts its checkpoint.md: its %s is %s, in the file %s",
		record.Short(e.id), e.field, quoted(e.told), quoted(e.checkpoint))
}

// Mismatch returns an error unless the message of a checkpoint tells what its text says:
// the subject and the thesis as they are or cut with an ellipsis where there was no room,
// each line of the last paragraph that is there as in the front matter, and no date
// that is days younger than the commit. Who wrote it may have ended a sentence elsewhere, or left a line out, and a purge
// leaves PurgedText: in the subject and the thesis where the file has it, too.
func Mismatch(r *record.Record, c *sage.Checkpoint) error {
	made := sync.OnceValue(func() (m record.Record) { // as this version would tell it
		m.ParseMessage(record.Message(c, r.Kind, sage.Describe(c, c.MessageCount)))
		return m
	})
	wrong := func(field, told, text string) error { return &mismatchError{r.ID, field, told, text} }
	if subject, ok := quotesSubject(r, c); !ok && r.Description != made().Description {
		return wrong("subject", r.Description, subject)
	}
	if r.Thesis != "" && r.Thesis != c.Thesis && !repeats(r.Thesis, c.Thesis, record.MaxThesis) && r.Thesis != made().Thesis {
		return wrong("thesis", r.Thesis, c.Thesis)
	}
	code := func(c sage.CodeState) string { return record.CodeLine(record.ParseCodeLine(record.CodeLine(c))) }
	for _, f := range []struct {
		name, told, text string
		made             func(record.Record) string
	}{
		{"trigger", string(r.Trigger), string(c.Trigger), func(m record.Record) string { return string(m.Trigger) }},
		{"skill", r.Skill, c.Skill, func(m record.Record) string { return m.Skill }},
		{"project", r.Project, c.Project, func(m record.Record) string { return m.Project }},
		{"template", r.Template, c.Template, func(m record.Record) string { return m.Template }},
		{"question", r.Question, c.CoreQuestion, func(m record.Record) string { return m.Question }},
		{"code", record.CodeLine(r.Code), code(c.Code), func(m record.Record) string { return record.CodeLine(m.Code) }},
		{"session", r.Session, c.Session, func(m record.Record) string { return m.Session }},
		{"agent", r.Agent, c.Agent, func(m record.Record) string { return m.Agent }},
	} {
		if f.told != "" && f.told != f.text && !quotesLine(f.told, f.text) && f.told != f.made(made()) {
			return wrong(f.name, f.told, f.text)
		}
	}
	for _, a := range r.Aliases {
		if !slices.ContainsFunc(c.Aliases, func(b string) bool { return quotesLine(a, b) }) && !slices.Contains(made().Aliases, a) {
			return wrong("alias", a, strings.Join(c.Aliases, ", "))
		}
	}
	switch {
	case r.Messages != 0 && r.Messages != c.MessageCount:
		return wrong("messages", fmt.Sprint(r.Messages), fmt.Sprint(c.MessageCount))
	case r.Tokens != 0 && r.Tokens != c.TokenEstimate:
		return wrong("tokens", fmt.Sprint(r.Tokens), fmt.Sprint(c.TokenEstimate))
	case r.Confidence != nil && c.Confidence == nil:
		return wrong("confidence", fmt.Sprint(*r.Confidence), "")
	case r.Confidence != nil && *r.Confidence != *c.Confidence:
		return wrong("confidence", fmt.Sprint(*r.Confidence), fmt.Sprint(*c.Confidence))
	case !r.Time.IsZero() && c.Time.Sub(record.Later(r.Time, r.Recorded)) > aDay:
		return wrong("date", r.Time.UTC().Format(time.DateTime), c.Time.UTC().Format(time.DateTime))
	case len(r.IDs()) > 0:
		return fmt.Errorf("%s removes or restores checkpoints, which only a tombstone may", record.Short(r.ID))
	}
	return nil
}

// quotesSubject is what the subject of a checkpoint stands for, and whether it tells that: the
// description, else the beginning of the first line of the thesis, else the question.
func quotesSubject(r *record.Record, c *sage.Checkpoint) (text string, ok bool) {
	first, _, _ := strings.Cut(strings.TrimSpace(c.Thesis), "\n")
	for i, s := range []string{c.Description, first, c.CoreQuestion} {
		if s = legible.OneLine(s); s != "" {
			sentence := i == 1 && strings.HasPrefix(s, r.Description) && endsSentence(r.Description)
			return s, sentence || repeats(r.Description, s, sage.MaxDescription)
		}
	}
	text = sage.Describe(c, c.MessageCount)
	return text, r.Description == text || r.Description == sage.Describe(c, 0) // a join has no turns
}

// endsSentence reports whether a text ends in what all versions end a sentence with.
func endsSentence(s string) bool {
	return slices.ContainsFunc([]string{".", "!", "?", "。", "！", "？"}, func(end string) bool { return strings.HasSuffix(s, end) })
}

// aDay is how much younger than its commit a thought may be: clocks and zones differ.
const aDay = 24 * time.Hour

// repeats reports whether what a message has says what a text says: all of it, or its
// beginning and an ellipsis as far as most characters go. Every version that cuts at a
// blank did so in the last third; where this one cuts earlier, it finds by making it.
func repeats(told, text string, most int) bool {
	told, text = legible.OneLine(told), legible.OneLine(text)
	head, isCut := strings.CutSuffix(told, "…")
	n := utf8.RuneCountInString(told)
	return told == text || isCut && strings.HasPrefix(text, head) && 3*n >= 2*most && utf8.RuneCountInString(text) > n
}

// quotesLine reports whether a line of the last paragraph, which has MaxTrailer bytes and no
// meaning of its own, has what a text says, cut or with PurgedText in the place of parts.
func quotesLine(told, text string) bool {
	if 3*len(record.EscapeTrailer(told)) >= record.MaxTrailer && strings.HasSuffix(record.EscapeTrailer(text), "…") && repeats(told, text, 0) {
		return true
	}
	told, text = legible.OneLine(told), legible.OneLine(text)
	parts := strings.Split(strings.TrimSuffix(told, "…"), record.PurgedText)
	rest, ok := strings.CutPrefix(text, parts[0])
	if len(parts) == 1 || !ok {
		return told == text
	}
	for _, part := range parts[1:] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return true
}

// MismatchTombstone returns an error unless a tombstone's file says what its message does.
func MismatchTombstone(r *record.Record, file []byte) error {
	if len(r.Removes) > 0 && len(r.Restores) > 0 {
		return errors.New("a tombstone that both removes and restores")
	}
	for _, id := range r.IDs() {
		if !record.IsHex(id) || !bytes.Contains(file, []byte(id)) {
			return fmt.Errorf("a tombstone whose file lacks %s, which its message names", record.Short(id))
		}
	}
	return nil
}
