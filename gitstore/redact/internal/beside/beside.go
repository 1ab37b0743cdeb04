// Package beside finds secrets beside cues. It finds the cue; how to read on from there is known to
// the readers of prose, shell and idioms.
package beside

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/cues"
	"github.com/git-sage/git-sage/gitstore/redact/internal/idioms"
	"github.com/git-sage/git-sage/gitstore/redact/internal/prose"
	"github.com/git-sage/git-sage/gitstore/redact/internal/shell"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// cued looks for secrets beside cues.
type cued struct {
	s      string
	found  *spans.Set
	prose  prose.Reader
	idioms idioms.Reader
	shell  shell.Reader
}

// Find reports secrets that words tell of: in prose, in lines of shell, in SQL and in
// calls. It looks at each word once; what it reads behind one is bounded.
func Find(s string, found *spans.Set) {
	w := cued{
		s: s, found: found,
		prose:  prose.New(s, found),
		idioms: idioms.New(s, found),
		shell:  shell.New(s, found),
	}
	w.words(0, len(s))
}

func (w *cued) words(at, stop int) {
	var buf [cues.MaxLength]byte
	s := w.s
	for at < stop {
		n := words.Letter(s, at)
		if n == 0 {
			at++
			continue
		}
		from := at
		if chars.In(s[at], chars.Lower) && at > 0 && s[at-1] == '\\' && strings.IndexByte("nrt", s[at]) >= 0 && at+1 < stop && words.Letter(s, at+1) > 0 {
			from++ // the n of \nPassword
		}
		for at < stop && n > 0 {
			at += n
			n = words.Letter(s, at)
		}
		if at-from < 2 && (from == 0 || s[from-1] != '7') || at-from > cues.MaxLength || at > stop {
			continue
		}
		low := words.Fold(buf[:0], s[from:at])
		c := cues.Of(string(low))
		if c == cues.None && len(low) > 6 {
			c = cues.AtEnd(string(low))
		}
		if c != cues.None {
			w.look(c, low, from, at)
		}
	}
}

// look reports the secrets beside the cue s[from:end].
func (w *cued) look(c cues.Cue, low []byte, from, end int) {
	switch c {
	case cues.Command:
		w.shell.Line(from)
	case cues.Identified:
		w.idioms.Identified(end)
	case cues.Cookie:
		w.idioms.Cookies(end)
		w.prose.Told(cues.Token, string(low), from, end)
	case cues.Call:
		w.idioms.Call(from, end)
		if string(low) == "sign" {
			w.prose.Entered(end)
		}
	case cues.Directive:
		w.idioms.Directive(from, end)
	case cues.Login:
		w.prose.Login(from, end)
		w.idioms.Call(from, end)
		w.prose.Enter(end)
	case cues.Enter:
		if low[0] == 'l' || string(low) == "signed" {
			w.prose.Entered(end)
		} else {
			w.prose.Enter(end)
		}
	case cues.Community:
		w.idioms.Community(from, end)
	case cues.User:
		w.idioms.Ruled(end)
	default:
		before := len(w.found.List)
		w.prose.Told(c, string(low), from, end)
		w.idioms.Paired(c, from, end)
		switch c {
		case cues.Password:
			if len(w.found.List) == before {
				w.idioms.Tabled(from, end)
				w.prose.Answered(end)
			}
		case cues.Token:
			w.idioms.Nested(end)
		}
	}
}
