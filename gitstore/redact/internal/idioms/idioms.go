// Package idioms finds secrets in what is written in one way: statements of SQL, calls, cookies,
// tables, lines of configuration.
package idioms

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/assign"
	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/cues"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
	"github.com/git-sage/git-sage/gitstore/redact/internal/vocabulary"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// A Reader looks for secrets in what is written in one way: statements of SQL, calls,
// headers, tables, lines of configuration.
type Reader struct {
	s       string
	found   *spans.Set
	tables  int // the end of the tables that were read
	cookied int // the end of the headers with cookies that were read
}

// New returns a reader of s that reports to found.
func New(s string, found *spans.Set) Reader { return Reader{s: s, found: found} }

// Identified reports the password of SQL's IDENTIFIED BY '...', whose first word ends at
// s[end]: CREATE USER x IDENTIFIED [WITH plugin] BY [PASSWORD] '...'.
func (w *Reader) Identified(end int) {
	s := w.s
	stop := min(len(s), end+120)
	i := strings.Index(strings.ToLower(s[end:stop]), " by ")
	if i < 0 || strings.ContainsAny(s[end:end+i], "';\"\n") {
		return
	}
	at := words.Blanks(s, end+i+4, stop)
	if len(s) >= at+9 && strings.EqualFold(s[at:at+9], "password ") {
		at = words.Blanks(s, at+9, stop)
	}
	v := pieces.At(s, at)
	text := v.In(s)
	if v.To <= v.From || values.IsPlaceholder(text) || values.FilledIn(text) || text[0] == ':' || text[0] == '?' || len(text) < 3 {
		return
	}
	if !v.Quoted && (chars.Run(text, 0, letters8) == len(text) || !plainValue(text)) { // "identified by name"
		return
	}
	w.found.Add("password", v.From, v.To)
}

const letters8 = chars.Lower | chars.Upper

// plainValue reports whether v has letters, digits and signs of names alone.
func plainValue(v string) bool {
	return chars.Run(v, 0, chars.Word|chars.Dot|chars.Other) == len(v) || values.Passwordish(v, false)
}

// Cookies reports the values of a Cookie header, whose name ends at s[end], that look drawn.
func (w *Reader) Cookies(end int) {
	s := w.s
	if end >= len(s) || s[end] != ':' || end < w.cookied {
		return
	}
	stop := end + 1
	for stop < len(s) && stop < end+4096 && s[stop] != '\n' && s[stop] != '"' && !(s[stop] == '\\' && stop+1 < len(s) && s[stop+1] == 'n') {
		stop++
	}
	w.cookied = stop
	CookiePairs(s, end+1, stop, w.found)
}

// CookiePairs reports the values of name=value; name=value that look drawn.
func CookiePairs(s string, at, stop int, found *spans.Set) {
	for at < stop {
		end := stop
		if i := strings.IndexByte(s[at:stop], ';'); i >= 0 {
			end = at + i
		}
		if i := strings.IndexByte(s[at:end], '='); i >= 0 {
			from, to := at+i+1, end
			for to > from && strings.IndexByte(" '\"\\,", s[to-1]) >= 0 {
				to--
			}
			if v := s[from:to]; values.Random(v) || len(v) >= 24 && values.Drawn(strings.ReplaceAll(v, "%", "")) {
				found.Add("cookie", from, to)
			}
		}
		at = end + 1
	}
}

// Directive reports the value of a word that always has one: requirepass x, -storepass x.
func (w *Reader) Directive(from, end int) {
	s := w.s
	if end >= len(s) || s[end] != ' ' && s[end] != '\t' || from > 0 && (chars.In(s[from-1], chars.Word) && s[from-1] != '-' || s[from-1] == '.') {
		return
	}
	line := s[max(0, from-80):from]
	line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " \t")
	if line != "" && !strings.HasSuffix(line, "-") {
		return
	}
	at := words.Blanks(s, end, len(s))
	for _, skip := range [...]string{"--plaintext ", "--iscrypted "} {
		if strings.HasPrefix(s[at:], skip) {
			at += len(skip)
		}
	}
	v := pieces.At(s, at)
	text := v.In(s)
	if v.To <= v.From || values.IsPlaceholder(text) || values.FilledIn(text) || text[0] == '-' || len(text) < 3 || values.IsPath(text) {
		return
	}
	if rest := words.Blanks(s, v.End, len(s)); line == "" && rest < len(s) && s[rest] != '\n' && s[rest] != '#' && s[rest] != '\\' && s[rest] != '\r' {
		return // a sentence
	}
	w.found.Add("password", v.From, v.To)
}

// Paired reports the value that stands beside the name of a secret rather than behind it:
// name="DB_PASSWORD" value="x", define('DB_PASSWORD', 'x'), fill('#password', 'x'),
// variable "db_password" { default = "x" }, (name, password) VALUES ('bo', 'x').
func (w *Reader) Paired(c cues.Cue, from, end int) {
	s := w.s
	if end >= len(s) {
		return
	}
	switch s[end] {
	case '(':
		if c == cues.Password && from != end {
			w.called(from, end)
		}
		return
	case ')', ',':
		w.inserted(end)
		if s[end] == ')' {
			return
		}
	case '"', '\'', '\\', '\n', ' ', '_', '`':
	default:
		return
	}
	quotes := words.RunOf(s[:min(len(s), end+4)], end, "\\\"'`")
	if quotes == end && s[end] != '\n' {
		return
	}
	// Back to where the name begins: DB_PASSWORD, api.secret, #password.
	start := from
	for start > 0 && from-start < 40 && (chars.In(s[start-1], chars.Word|chars.Dot) || s[start-1] == '#' || s[start-1] == '[' || s[start-1] == ':') {
		start--
	}
	lead := strings.TrimRight(s[max(0, start-24):start], "\"'`\\ ")
	lead = strings.ToLower(lead)
	strong := c == cues.Password
	at := words.RunOf(s[:min(len(s), quotes+8)], quotes, " \t,)]>\r")
	switch {
	case words.HasEnd(lead, "name=", "key=", "name:", `name":`, `name\":`, "variable", `key":`, "key:", "id=", `name' =>`, "name\" =>"):
		w.valued(at, start)
	case strong && strings.HasPrefix(s[start:], "-") && strings.IndexByte(s[quotes:at], ',') >= 0: // ["--password", "x"]
		w.literal(at, strong, false)
	case words.HasEnd(lead, "define("):
		w.literal(at, strong, false)
	case s[end] != '\n' && strong && strings.IndexByte(s[quotes:at], ',') >= 0 && words.HasEnd(lead, "fill(", "type(", "sendkeys(", "send_keys(", "settext(", "setvalue(", "put(", "set(", "setproperty(",
		"setenv(", "putenv(", "append(", "param(", "header("):
		w.literal(at, strong, false)
	case strong && strings.IndexByte(s[quotes:at], ')') >= 0:
		for _, call := range [...]string{".send_keys(", ".sendKeys(", ".fill(", ".type(", ".setValue(", ".set("} {
			if strings.HasPrefix(s[at:], call) {
				w.literal(at+len(call), strong, false)
			}
		}
	}
}

// valued reports the value that goes with a name that ends before s[at].
func (w *Reader) valued(at, start int) {
	s := w.s
	stop := min(len(s), at+160)
	if at > 0 && at <= len(s) && s[at-1] == '>' { // <entry key="api.secret">x</entry>
		if i := strings.IndexByte(s[at:stop], '<'); i > 0 && strings.HasPrefix(s[at+i:], "</") {
			w.named(pieces.Piece{From: at, To: at + i, End: at + i, Quoted: true}, start)
		}
		return
	}
	rest := strings.ToLower(s[at:stop])
	for _, name := range [...]string{"value", "default"} {
		i := strings.Index(rest, name)
		if i < 0 || i > 0 && chars.In(rest[i-1], chars.Alnum) && !strings.HasSuffix(s[:at+i], `\n`) || strings.Contains(rest[:i], "name") {
			continue
		}
		p := words.RunOf(s[:stop], at+i+len(name), "\\\"' \t")
		if p >= stop || s[p] != ':' && s[p] != '=' {
			return
		}
		p = words.RunOf(s[:stop], p+1, " \t>")
		w.named(pieces.At(s, p), start)
		return
	}
}

// named reports a value if its name, which begins at s[start], promises a secret.
func (w *Reader) named(v pieces.Piece, start int) {
	s := w.s
	if v.To <= v.From {
		return
	}
	end := start
	for end < len(s) && end-start < keys.MaxLength && chars.In(s[end], chars.Word|chars.Dot) {
		end++
	}
	a := assign.Assignment{Key: s[start:end], Sep: '=', First: true, Last: true}
	if a.Grade = keys.GradeKey(a.Key); a.Grade == keys.None {
		return
	}
	if v.Quoted {
		a.Quote = '"'
	}
	text := v.In(s)
	if a.Grade == keys.Strong && !values.IsPlaceholder(text) && !values.IsReference(text, a.Quote) && !values.FilledIn(text) && strings.IndexByte(text, ' ') < 0 && len(text) >= 3 && !values.Dotted(text) || a.Secret(text) {
		w.found.Add(a.Rule(), v.From, v.To)
	}
}

// literal reports the quoted value at s[at].
func (w *Reader) literal(at int, strong, strict bool) {
	s := w.s
	at = words.RunOf(s[:min(len(s), at+8)], at, " \t\n@NbB")
	v := pieces.At(s, at)
	text := v.In(s)
	if !v.Quoted || len(text) < 3 || values.IsPlaceholder(text) || values.FilledIn(text) || strings.Contains(text, "://") || vocabulary.RoleOf(words.Lower(text))&vocabulary.States != 0 {
		return
	}
	if strings.IndexByte(text, ' ') >= 0 || !strong && !values.Drawn(text) && !values.Passwordish(text, false) && len(text) < 32 || strict && !values.Passwordish(text, false) && !values.Drawn(text) {
		return
	}
	rule := "password"
	if !strong {
		rule = "secret-value"
	}
	w.found.Add(rule, v.From, v.To)
}

// called reports the argument of setPassword("x") and PASSWORD('x'); s[end] is the bracket.
func (w *Reader) called(from, end int) {
	start := from
	for start > 0 && from-start < 24 && chars.In(w.s[start-1], chars.Word) {
		start--
	}
	name := w.s[start:end]
	low := strings.ToLower(name)
	w.literal(end+1, true, !strings.HasPrefix(low, "set") && !strings.HasPrefix(low, "with") && name != "PASSWORD")
}

// Call reports the secret that is a fixed argument of a function whose name ends at s[end]:
// SetBasicAuth("bo", "x"), jwt.sign(payload, "x"), auth=("bo", "x").
func (w *Reader) Call(from, end int) {
	s := w.s
	stop := min(len(s), end+200)
	at := end
	low := words.Lower(s[from:end])
	if low == "auth" && at+1 < stop && s[at] == '=' && s[at+1] == '(' {
		at++
	} else if low == "auth" {
		return
	}
	if at >= stop || s[at] != '(' {
		return
	}
	at++
	var args [4]pieces.Piece
	n := 0
	for n < len(args) && at < stop {
		at = words.RunOf(s[:stop], at, " \t\n")
		if v := pieces.At(s, at); v.Quoted {
			args[n] = v
			at = v.End
		} else {
			i := strings.IndexAny(s[at:stop], ",()\n\"'")
			if i < 0 {
				break
			}
			if s[at+i] == '"' || s[at+i] == '\'' { // b"...", Buffer.from is out
				if i == 0 || i > 2 {
					break
				}
				at += i
				continue
			}
			at += i
			if s[at] == '(' { // a call within: over it
				j := strings.IndexByte(s[at:stop], ')')
				if j < 0 {
					break
				}
				at += j + 1
			}
		}
		n++
		at = words.RunOf(s[:stop], at, " \t\n")
		if at >= stop || s[at] != ',' {
			break
		}
		at++
	}
	take := func(i int, strict bool) {
		if v := args[min(i, len(args)-1)]; i < n && v.Quoted {
			text := v.In(s)
			if len(text) < 3 || values.IsPlaceholder(text) || values.FilledIn(text) || strings.IndexByte(text, ' ') >= 0 || vocabulary.RoleOf(words.Lower(text))&vocabulary.States != 0 || strict && !values.Passwordish(text, false) && !values.Drawn(text) {
				return
			}
			w.found.Add("password", v.From, v.To)
		}
	}
	switch low {
	case "sign", "encode", "verify", "decode", "createcipheriv", "createdecipheriv", "createhmac":
		take(1, true)
	case "signwith":
		take(0, true)
		take(1, true)
	case "getconnection", "plainauth":
		take(2, false)
	default:
		if n == 2 || n == 3 {
			take(1, low == "login")
		}
	}
}

// maxRows bounds what is read of the tuples behind VALUES.
const maxRows = 4096

// inserted reports the values of a column called password: the name of the column ends at
// s[end], VALUES and its tuples follow.
func (w *Reader) inserted(end int) {
	s := w.s
	stop := min(len(s), end+240)
	i := strings.Index(strings.ToLower(s[end:stop]), "values")
	if i < 0 || strings.ContainsAny(s[end:end+i], ";'") {
		return
	}
	open := strings.LastIndexByte(s[max(0, end-300):end], '(')
	if open < 0 {
		return
	}
	column := strings.Count(s[max(0, end-300)+open:end], ",")
	at := end + i + len("values")
	limit := min(len(s), at+maxRows)
	for range 50 {
		at = words.RunOf(s[:limit], at, " \t\r\n,")
		if at >= limit || s[at] != '(' {
			return
		}
		at++
		for n := 0; at < limit && s[at] != ')'; n++ {
			at = words.RunOf(s[:limit], at, " \t\r\n,NE")
			v := pieces.At(s[:limit], at)
			if n == column && v.Quoted && !values.IsPlaceholder(v.In(s)) && !values.FilledIn(v.In(s)) {
				w.found.Add("password", v.From, v.To)
			}
			if v.Quoted {
				at = v.End
			} else {
				j := strings.IndexAny(s[at:limit], ",)")
				if j < 0 {
					return
				}
				at += j
			}
			at = words.RunOf(s[:limit], at, " \t\r\n")
			if at < limit && s[at] == ',' {
				at++
			} else if at < limit && s[at] != ')' {
				return
			}
		}
		at++
	}
}
