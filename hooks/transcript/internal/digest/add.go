package digest

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/hooks/transcript/internal/scan"
	"github.com/git-sage/git-sage/prose/cut"
)

func (d *Digest) add(r *record.Record) {
	if r.Side && !d.o.Agent || d.State.seenBefore(r.UUID) {
		return
	}
	d.note(r)
	switch {
	case r.Type == "system":
		d.boundary(r)
	case r.Type == "assistant":
		d.answer(r)
	case r.Summary:
		d.summary(r)
	default:
		d.results(r)
		if s := r.Said(); s != "" {
			d.Turns++
			d.say(r, s)
		}
	}
}

// note keeps what is the same for many records.
func (d *Digest) note(r *record.Record) {
	for _, f := range []struct {
		to   *string
		from string
	}{{&d.Version, r.Version}, {&d.Branch, r.Branch}, {&d.Dir, r.Dir}} {
		if s, found := d.redact(f.from, files.MaxPath); s != "" && s != *f.to {
			*f.to = s
			d.count(found)
		}
	}
	for _, s := range []string{r.From, r.Session} {
		if id, found := d.redact(s, maxName); id != "" && !slices.Contains(d.Sessions, id) {
			d.Sessions = newest(append(d.Sessions, id), maxSessions)
			d.count(found)
		}
	}
	if !r.Time.IsZero() {
		d.Began, d.Last = cmp.Or(d.Began, r.Time), r.Time
	}
}

// synthetic is the model of what the client says in a model's place: of an error.
const synthetic = "<synthetic>"

func (d *Digest) answer(r *record.Record) {
	if r.Model != synthetic && r.Usage != (record.Usage{}) {
		d.Model, _ = d.redact(r.Model, maxName)
		d.Usage, d.Window = r.Usage, r.Usage.Total()
		d.Output += d.State.output(cut.Bytes(r.MessageID, maxName), r.Usage.Output)
	}
	for b := range r.Blocks() {
		switch b.Type {
		case "text":
			if s := b.Text(); s != "" && r.Model != synthetic {
				d.say(r, s)
			}
		case "tool_use":
			d.begin(r, b)
		}
	}
}

// id is that of a record, whatever may stand there.
func (d *Digest) id(r *record.Record) string {
	id, _ := d.redact(r.UUID, maxName)
	return id
}

func (d *Digest) say(r *record.Record, s string) {
	t := Text{UUID: d.id(r), Offset: r.Offset, Time: r.Time, Person: r.Type == "user", Text: d.clean(s, maxText)}
	d.Texts = newest(append(d.Texts, t), maxTexts)
}

// boundary begins a summary: the record behind which the conversation is gone.
func (d *Digest) boundary(r *record.Record) {
	if r.Subtype != "compact_boundary" {
		return
	}
	s := Summary{UUID: d.id(r), Offset: r.Offset, Time: r.Time}
	for key, v := range scan.Fields(r.Compact) {
		switch string(key) {
		case "trigger":
			s.Auto = scan.Text(v) == "auto"
		case "preTokens":
			s.Before = scan.Number(v)
		case "postTokens":
			s.After = scan.Number(v)
		}
	}
	d.Compacted++
	d.Window = s.After
	d.Summaries = newest(append(d.Summaries, s), maxSummaries)
}

// summary keeps the text of a summary with its boundary, which comes first.
func (d *Digest) summary(r *record.Record) {
	n := len(d.Summaries)
	if n == 0 || d.Summaries[n-1].Text != "" {
		d.Compacted++
		d.Summaries = newest(append(d.Summaries, Summary{UUID: d.id(r), Offset: r.Offset, Time: r.Time}), maxSummaries)
		n = len(d.Summaries)
	}
	d.Summaries[n-1].Text = d.clean(r.Text(), maxSummary)
}

// Update reads what is new in the transcript. If the file was replaced or lost its end,
// the digest begins anew. After an error it holds what was read until then.
func (d *Digest) Update(file string) error { return d.UpdateContext(context.Background(), file) }

// UpdateContext is Update that stops when ctx ends, with its error: the next one goes on
// from there.
func (d *Digest) UpdateContext(ctx context.Context, file string) error {
	r, err := record.Open(file, d.Position)
	if err != nil {
		return err
	}
	defer r.Close()
	return d.read(ctx, r)
}

func (d *Digest) read(ctx context.Context, r *record.Reader) error {
	if r.Offset() != d.Position.Offset {
		*d = Digest{o: d.o, root: d.root, names: d.names}
	}
	d.State.Format = format
	before := d.Skipped
	for {
		var rec *record.Record
		err := ctx.Err()
		if err == nil {
			rec, err = r.Next()
		}
		if err != nil {
			d.Position, d.Skipped = r.Position(), before.Plus(r.Skipped())
			if err == io.EOF {
				return nil
			}
			return err
		}
		d.add(rec)
	}
}
