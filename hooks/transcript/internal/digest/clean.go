package digest

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/prose/cut"
)

const (
	// maxRedacted is how much of one text is looked at, in bytes: of a longer one three
	// quarters at its beginning and a quarter at its end.
	maxRedacted = 64 << 10
	maxShort    = 200  // names and paths of up to so many bytes are redacted once
	maxNames    = 2000 // how many of them are remembered
)

// clean takes the secrets out of a text that is kept, counts them, and cuts it.
func (d *Digest) clean(s string, most int) string {
	s, found := d.redact(s, most)
	d.count(found)
	return s
}

func (d *Digest) count(found []redact.Finding) { d.Secrets = redact.Merge(d.Secrets, found) }

// hide is redact without what was found.
func (d *Digest) hide(s string, most int) string {
	s, _ = d.redact(s, most)
	return s
}

// redact takes the secrets out of a text and cuts it. Nothing is left of one of which
// the redactor does not know what to think.
func (d *Digest) redact(s string, most int) (string, []redact.Finding) {
	if known, ok := d.names[s]; ok {
		return shorten(known.text, most), known.found
	}
	began := time.Now()
	out, tail, found, err := d.o.Redact.Ends(s, maxRedacted*3/4, maxRedacted/4)
	d.o.Cost.Add(min(len(s), maxRedacted), time.Since(began), found)
	if tail != "" {
		out += gap + tail
	}
	if err != nil {
		return "", nil
	}
	if len(s) <= maxShort && len(d.names) < maxNames {
		if d.names == nil {
			d.names = map[string]redacted{}
		}
		d.names[s] = redacted{out, found}
	}
	return shorten(out, most), found
}

const gap = "\n[…]\n"

// shorten cuts the middle out of a text: what it is about stands at its beginning, what
// came of it at its end.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	first := cut.Bytes(s, (most-len(gap))*3/4)
	rest := s[len(s)-(most-len(gap)-len(first)):]
	for len(rest) > 0 && !utf8.RuneStart(rest[0]) {
		rest = rest[1:]
	}
	return first + gap + strings.TrimLeft(rest, "\n")
}
