package digest

import (
	"context"
	"io"

	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
)

// What is kept of a conversation by [Said], at most.
const (
	maxSaid   = 16 << 10 // bytes of one text
	mostTexts = 2000     // the newest
)

// Said reads what a person and the agent said in a transcript, behind an offset that is the
// end of a line: more of it than a [Digest] keeps, which is read again for each event. Each
// text is without secrets, and one of more than 16 kB lacks its middle. After an error it
// returns what it read until then.
func Said(ctx context.Context, file string, from int64, o Options) ([]Text, error) {
	r, err := record.Open(file, record.Position{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	r.GoTo(from)
	d := New(o)
	var texts []Text
	for {
		if err := ctx.Err(); err != nil {
			return texts, err
		}
		rec, err := r.Next()
		if err == io.EOF {
			return texts, nil
		}
		if err != nil {
			return texts, err
		}
		for _, s := range d.spoken(rec) {
			t := Text{UUID: d.id(rec), Offset: rec.Offset, Time: rec.Time, Person: rec.Type == "user", Text: d.clean(s, maxSaid)}
			texts = newest(append(texts, t), mostTexts)
		}
	}
}

// Speaks reports whether a person or the agent says anything in a transcript behind an
// offset.
func Speaks(ctx context.Context, file string, from int64) (bool, error) {
	r, err := record.Open(file, record.Position{})
	if err != nil {
		return false, err
	}
	defer r.Close()
	r.GoTo(from)
	d := New(Options{})
	for ctx.Err() == nil {
		rec, err := r.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if len(d.spoken(rec)) > 0 {
			return true, nil
		}
	}
	return false, ctx.Err()
}

// spoken are the texts of a record that a person or the agent says, if it was not seen
// before.
func (d *Digest) spoken(r *record.Record) (out []string) {
	switch {
	case r.Side && !d.o.Agent || d.State.seenBefore(r.UUID):
	case r.Type == "user":
		if s := r.Said(); s != "" {
			out = append(out, s)
		}
	case r.Type == "assistant" && r.Model != synthetic && !r.Summary:
		for b := range r.Blocks() {
			if s := b.Text(); b.Type == "text" && s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}
