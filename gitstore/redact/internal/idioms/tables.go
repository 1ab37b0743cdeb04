package idioms

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/cues"
	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
	"github.com/git-sage/git-sage/gitstore/redact/internal/vocabulary"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// maxTable bounds what is read of a table below its head.
const maxTable = 8 << 10

// Tabled reports the passwords of a table of Markdown in whose head the cue s[from:end] stands.
func (w *Reader) Tabled(from, end int) {
	s := w.s
	if from < w.tables {
		return
	}
	if cell := words.RunOf(s[:min(len(s), end+40)], end, " \t*`:-"); cell >= len(s) || s[cell] != '|' && s[cell] != '\n' && s[cell] != '\r' {
		return
	}
	begin := from
	for begin > 0 && from-begin < 200 && s[begin-1] != '\n' {
		begin--
	}
	line := strings.IndexByte(s[from:min(len(s), from+400)], '\n')
	if line < 0 || from-begin >= 200 {
		return
	}
	line += from
	head := s[begin:line]
	rule := s[line+1 : min(len(s), line+41)]
	if !strings.Contains(head, "|") || strings.TrimLeft(rule, "|:- \t") == rule || !strings.HasPrefix(strings.TrimLeft(rule, "|: \t"), "-") {
		return
	}
	var secret [16]bool
	for i, cell := range strings.Split(strings.Trim(head, " \t\r|"), "|") {
		if i < len(secret) {
			name := strings.FieldsFunc(words.Lower(cell), func(r rune) bool { return r <= ' ' || r == '*' || r == '`' || r == '_' })
			secret[i] = len(name) > 0 && len(name) <= 3 && cues.Of(name[len(name)-1]) == cues.Password
		}
	}
	stop := min(len(s), line+maxTable)
	at := line + 1
	for row := 0; at < stop; row++ {
		n := strings.IndexByte(s[at:stop], '\n')
		if n < 0 {
			n = stop - at
		}
		text := s[at : at+n]
		if !strings.Contains(text, "|") {
			break
		}
		if row > 0 {
			w.cells(at, text, secret[:])
		}
		at += n + 1
	}
	w.tables = at
}

// cells reports the secret cells of a row that begins at s[at].
func (w *Reader) cells(at int, row string, secret []bool) {
	left := len(row) - len(strings.TrimLeft(row, " \t"))
	if left < len(row) && row[left] == '|' {
		left++
	}
	at, row = at+left, row[left:]
	for i := 0; i < len(secret) && row != ""; i++ {
		n := strings.IndexByte(row, '|')
		if n < 0 {
			n = len(row)
		}
		cell := strings.TrimRight(row[:n], " \t\r`*")
		from := len(cell) - len(strings.TrimLeft(cell, " \t`*"))
		if v := cell[from:]; secret[i] && len(v) >= 4 && strings.IndexByte(v, ' ') < 0 && !values.IsPlaceholder(v) && !values.IsReference(v, 0) && !values.IsCall(v) && !values.Dotted(v) &&
			(values.Passwordish(v, false) || vocabulary.PlainWord(v, "")) {
			w.found.Add("password", at+from, at+len(cell))
		}
		if n == len(row) {
			return
		}
		at, row = at+n+1, row[n+1:]
	}
}

// Nested reports the value below a name that holds one: "secret": {"key": "..."}.
func (w *Reader) Nested(end int) {
	s := w.s
	stop := min(len(s), end+200)
	at := words.RunOf(s[:stop], end, "\\\"'")
	if at >= stop || s[at] != ':' && s[at] != '=' {
		return
	}
	at = words.RunOf(s[:stop], at+1, " \t=>")
	if at >= stop || s[at] != '{' && s[at] != '\n' || s[at] == '\n' && (at+1 >= stop || s[at+1] != ' ') {
		return
	}
	at = words.RunOf(s[:stop], at+1, " \t\r\n\\\"'")
	name := chars.Run(s[:stop], at, chars.Word)
	switch s[at:name] {
	case "key", "value", "data", "content", "val", "plaintext":
	default:
		return
	}
	at = words.RunOf(s[:stop], name, "\\\"' ")
	if at >= stop || s[at] != ':' && s[at] != '=' {
		return
	}
	v := pieces.At(s, words.RunOf(s[:stop], at+1, " \t=>"))
	if text := v.In(s); v.To > v.From && !values.IsPlaceholder(text) && !values.IsReference(text, 0) && !values.FilledIn(text) && (len(text) >= 16 && values.Drawn(text) || values.Passwordish(text, true)) {
		w.found.Add("secret-value", v.From, v.To)
	}
}

// Community reports the community of SNMP, which is a password: snmp-server community x RO.
func (w *Reader) Community(from, end int) {
	s := w.s
	before := s[max(0, from-16):from]
	if !words.HasEnd(before, "snmp-server ", "snmp ", "snmp-agent ") && !strings.HasPrefix(s[from:end], "r") {
		return
	}
	if end >= len(s) || s[end] != ' ' && s[end] != '\t' {
		return
	}
	v := pieces.At(s, words.Blanks(s, end, len(s)))
	text := v.In(s)
	low := words.Lower(text)
	if v.To-v.From < 4 || values.IsPlaceholder(text) || values.FilledIn(text) || vocabulary.RoleOf(low) != 0 || low == "community" || low == "strings" {
		return
	}
	rest := words.Blanks(s, v.End, len(s))
	if rest < len(s) && s[rest] != '\n' && s[rest] != '\r' && s[rest] != '#' && !words.HasStart(strings.ToLower(s[rest:min(len(s), rest+6)]), "ro", "rw", "view", "ipv", "default", "1", "2", "localh") {
		return // a sentence
	}
	w.found.Add("password", v.From, v.To)
}

// Ruled reports the passwords of a user of Redis: "user worker on >x ~* +@all".
func (w *Reader) Ruled(end int) {
	s := w.s
	stop := min(len(s), end+200)
	if end >= stop || s[end] != ' ' {
		return
	}
	at := chars.Run(s[:stop], end+1, chars.Word|chars.Dot)
	if at == end+1 || at >= stop || s[at] != ' ' {
		return
	}
	for range 8 {
		at = words.Blanks(s, at, stop)
		v := pieces.At(s[:stop], at)
		switch {
		case at < stop && (s[at] == '>' || s[at] == '#'):
			v = pieces.At(s, at+1)
			rest := words.Blanks(s, v.End, len(s))
			if text := v.In(s); v.To-v.From >= 4 && !values.IsPlaceholder(text) && !values.FilledIn(text) && (rest >= len(s) || strings.IndexByte("\n\r+-~&\"'", s[rest]) >= 0) {
				w.found.Add("password", v.From, v.To)
			}
			return
		case v.To <= v.From:
			return
		}
		switch text := v.In(s); {
		case text == "on", text == "off", text == "reset", text == "resetpass", text == "resetkeys", text == "allkeys", text == "allchannels", strings.IndexByte("+-~&", text[0]) >= 0:
			at = v.End
		default:
			return
		}
	}
}
