// Package prose finds secrets that sentences tell, in six languages.
package prose

import (
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/cues"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
	"github.com/git-sage/git-sage/gitstore/redact/internal/vocabulary"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// maxBetween bounds the words between the name of a secret and what leads to it.
const maxBetween = 9

// A Reader looks for secrets that sentences tell.
type Reader struct {
	s     string
	found *spans.Set
	asked int // the end of what was searched for an answer
}

// New returns a reader of s that reports to found.
func New(s string, found *spans.Set) Reader { return Reader{s: s, found: found} }

// Told reports the secret that a sentence tells behind the word s[from:end]:
// "the password for the router is Qwz!8812", "Passwort Qwz!8812".
func (w *Reader) Told(c cues.Cue, name string, from, end int) {
	s := w.s
	w.toldBefore(c, from)
	if strings.HasPrefix(s[end:], ", ") && c != cues.Password { // "our token, 86300eb1..., expires"
		if v := pieces.At(s, end+2); !v.Quoted && len(v.In(s)) >= 20 && values.Drawn(v.In(s)) && !w.isSum(from) {
			w.found.Add(c.Rule(), v.From, v.To)
		}
		return
	}
	if !w.nameEnds(name, from, end) {
		return
	}
	word := name == "clave" || name == "chave" || name == "llave" // a password, or a key
	linked, owned := false, c != cues.Key || word || w.owned(from)
	link := "" // the word or the sign that leads to the secret
	if c == cues.Key && !word && w.wireless(from) {
		c, owned = cues.Password, true
	}
	if end = w.numbered(c, end); end < 0 {
		return
	}
	stop := min(len(s), end+200)
	at := end
	for n := 0; n < maxBetween; n++ {
		at = words.Blanks(s, at, stop)
		if at >= stop {
			return
		}
		switch sep := separator(s, at); {
		case s[at] == '(' && !linked:
			i := strings.IndexAny(s[at:min(stop, at+48)], ")\n")
			if i < 0 || s[at+i] == '\n' {
				return
			}
			owned = owned || strings.Contains(s[at:at+i], "AES") || strings.Contains(s[at:at+i], "secret")
			if v := pieces.At(s, at+1); n == 0 && v.To == at+i && !values.IsPlaceholder(v.In(s)) && w.inBrackets(c, v, owned, from) { // the password (Qwz!8812)
				w.found.Add(c.Rule(), v.From, v.To)
				return
			}
			at += i + 1
			continue
		case sep > 0:
			linked, link = true, s[at:at+sep]
			at += sep
			continue
		}
		at = words.RunOf(s[:stop], at, "*_")
		if at >= stop {
			return
		}
		v := pieces.At(s, at)
		if v.To <= v.From {
			return
		}
		text := v.In(s)
		low := words.Lower(text)
		does := vocabulary.RoleOf(low)
		if !v.Quoted && does&vocabulary.Leads != 0 && (!linked || low == "be" || low == "to" || low == "auf") {
			linked, link = true, low
			if text[len(text)-1] == ':' || v.To < v.End && s[v.To] == ':' {
				at = v.End
				continue
			}
			if v.To < v.End {
				return // "as it is, ..."
			}
			at = v.End
			continue
		}
		if !v.Quoted && (linked && does&vocabulary.Fills != 0 || !linked && does&vocabulary.Helps != 0) {
			at = v.End
			continue
		}
		if word && (v.Quoted && n > 0 || linked) && values.Passwordish(text, true) && w.tells(cues.Password, v, linked, n) || owned && w.tells(c, v, linked, n) {
			if c != cues.Password && w.isSum(from) {
				return
			}
			w.found.Add(c.Rule(), v.From, v.To)
			if at = w.followed(c, v.End); at == 0 {
				return
			}
			linked = true
			continue
		}
		if c == cues.Password && !v.Quoted && (linked && w.plain(v, from, link) || !linked && n == 0 && w.loggedAs(v, from)) {
			w.found.Add(c.Rule(), v.From, v.To)
			return
		}
		if linked || v.Quoted || v.To < v.End && s[v.To] != ':' || does&vocabulary.Denies != 0 && !w.changes(v.End) || strings.IndexByte("([{<$", text[0]) >= 0 {
			return
		}
		owned = owned || does&vocabulary.Owns != 0
		at = v.To
	}
}

// inBrackets reports whether v, all that stands in brackets behind the name of a secret at
// s[from], is that secret.
func (w *Reader) inBrackets(c cues.Cue, v pieces.Piece, owned bool, from int) bool {
	text := v.In(w.s)
	if c == cues.Password {
		return values.Passwordish(text, true)
	}
	return owned && (c == cues.Token || c == cues.Key) && len(text) >= 20 && values.Drawn(text) && !values.IsReference(text, 0) && !values.IsUUID(text) && !w.isSum(from)
}

// changes reports whether the word before s[at] is that of "reset to ...".
func (w *Reader) changes(at int) bool {
	return words.HasStart(w.s[at:], " to ", " auf ", " en ", " a ", " à ")
}

// toldBefore reports the secret before its name: "Qwz!8812 is the password".
func (w *Reader) toldBefore(c cues.Cue, from int) {
	s := w.s
	if from < 8 || s[from-1] != ' ' {
		return
	}
	begin := max(0, from-64)
	begin += strings.LastIndexByte(s[begin:from], '\n') + 1
	line := s[begin:from]
	for range 3 { // up to two words of letters between: "as the shared password"
		if line == "" || line[len(line)-1] != ' ' {
			return
		}
		word := len(line) - 1
		for word > 0 && (chars.In(line[word-1], chars.Lower|chars.Upper) || line[word-1] == '-') {
			word--
		}
		switch line[word : len(line)-1] {
		case "the", "my", "our", "a", "as", "das", "unser", "mein", "als", "la", "como", "come", "de":
			for _, link := range [...]string{" is the ", " is my ", " is our ", " is now the ", " as the ", " as a ", " as my ", " as our ", " as ", " ist das ", " ist unser ", " ist mein ",
				" als ", " es la ", " como la ", " como ", " como a ", " est le mot de ", " comme mot de ", " come ", " è la ", " é a "} {
				if words.HasEnd(line, link) {
					w.toldUntil(c, begin+len(line)-len(link))
					return
				}
			}
		case "":
			return
		}
		line = line[:word]
	}
}

// toldUntil reports the secret that ends at s[to], if what stands there is one.
func (w *Reader) toldUntil(c cues.Cue, to int) {
	s := w.s
	stop, closer := to, ""
	for _, m := range pieces.Marks {
		if words.HasEnd(s[:to], m[1]) {
			stop, closer = to-len(m[1]), m[0]
			if i := strings.LastIndex(s[max(0, stop-80):stop], closer); i >= 0 && c == cues.Password {
				i += max(0, stop-80) + len(closer)
				text := strings.Trim(s[i:stop], " \u00a0")
				if strings.IndexByte(text, '\n') < 0 && !values.IsPlaceholder(text) && !values.IsReference(text, 0) && !values.IsCall(text) && !values.Dotted(text) &&
					(values.Passwordish(text, false) || strings.IndexByte(text, ' ') < 0 && vocabulary.PlainWord(text, "")) {
					at := i + strings.Index(s[i:stop], text)
					w.found.Add(c.Rule(), at, at+len(text))
					return
				}
			}
		}
	}
	to = stop
	begin := to
	for begin > 0 && to-begin < 80 && !pieces.Stops(s, begin-1) {
		begin--
	}
	if text := s[begin:to]; to-begin >= 6 && !values.IsPlaceholder(text) && !values.IsReference(text, 0) && !values.IsCall(text) && !values.Dotted(text) &&
		(c == cues.Password && values.Passwordish(text, true) || c != cues.Password && len(text) >= 20 && values.Drawn(text)) {
		w.found.Add(c.Rule(), begin, to)
	}
}

// owned reports whether the word before the key at s[from] says that it is a secret.
func (w *Reader) owned(from int) bool {
	line := w.s[max(0, from-40):from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	before := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '\'' })
	if len(before) == 0 {
		return false
	}
	low := words.Lower(before[len(before)-1])
	return keys.Owners.Has(low) || vocabulary.RoleOf(low)&vocabulary.Owns != 0
}

// nameEnds reports whether the name of a secret ends at s[end], and a sentence or a value
// goes on: not password_hash, not passwords.txt.
func (w *Reader) nameEnds(name string, from, end int) bool {
	s := w.s
	if end >= len(s) {
		return false
	}
	if name == "passe" && !strings.HasSuffix(strings.ToLower(s[max(0, from-7):from]), "mot de ") {
		return false
	}
	switch s[end] {
	case ':':
		if keys.GradeOf(name) != keys.None { // Find judges it
			return false
		}
	case ' ', '\t', 0xc2, 0xe2, '*':
	case '`', '"':
		return end+1 < len(s) && s[end+1] == ' ' && from > 0 && s[from-1] == s[end]
	default:
		return false
	}
	return true
}

// isSum reports whether the words before the name of a secret say that a number is its sum
// or that it is public.
func (w *Reader) isSum(from int) bool {
	line := w.s[max(0, from-24):from]
	line = strings.ToLower(line[strings.LastIndexByte(line, '\n')+1:])
	for _, sum := range [...]string{"sha", "md5", "checksum", "digest", "hash of", "fingerprint", "commit", "public", "cache", "öffentlich"} {
		if strings.Contains(line, sum) {
			return true
		}
	}
	return false
}

// separator returns the length of the sign between a name and a value at s[at], or 0.
func separator(s string, at int) int {
	if c := s[at]; c != ':' && c != '=' && c != '-' && c != 0xe2 && c != 0xef {
		return 0
	}
	for _, sep := range [...]string{":=", ":", "=>", "==", "=", "->", "→", "–", "—", "⇒", "："} {
		if strings.HasPrefix(s[at:], sep) {
			if sep == "==" || at+len(sep) < len(s) && s[at+len(sep)] == '=' || strings.HasPrefix(s[at:], "://") || strings.HasPrefix(s[at:], "::") {
				return 0
			}
			return len(sep)
		}
	}
	return 0
}

// followed returns where a second secret is told: "from A to B"; or 0.
func (w *Reader) followed(c cues.Cue, at int) int {
	at = words.Blanks(w.s, at, len(w.s))
	for _, next := range [...]string{"to ", "auf ", "en ", "a ", "à ", "zu "} {
		if c == cues.Password && strings.HasPrefix(w.s[at:], next) {
			return at + len(next)
		}
	}
	return 0
}

// tells reports whether v is a secret: n words behind its name, or linked to it.
func (w *Reader) tells(c cues.Cue, v pieces.Piece, linked bool, n int) bool {
	text := v.In(w.s)
	if !v.Quoted && chars.Run(text, 0, chars.Lower|chars.Upper) == len(text) { // no more than a word
		return c == cues.Password && w.inNetrc(v) && !values.IsPlaceholder(text)
	}
	if values.IsPlaceholder(text) || values.IsReference(text, 0) || values.IsCall(text) || !utf8.ValidString(text) {
		return false
	}
	if v.Quoted {
		if !linked && (n == 1 || n == 2) && c == cues.Password { // "mot de passe temporaire « X »", "clave de acceso «X»"
			return values.Passwordish(text, true)
		}
		return (linked || n == 0) && w.tellsQuoted(c, text, linked)
	}
	switch {
	case !linked && n > 0 && c != cues.Token && c != cues.Key:
		return false
	case c == cues.PIN:
		return linked && chars.Run(text, 0, chars.Digit) == len(text) && len(text) >= 4 && len(text) <= 12
	case c == cues.Password || c == cues.Login:
		if linked && chars.Run(text, 0, chars.Digit) == len(text) {
			low := words.Lower(w.s[max(0, v.From-60):v.From])
			return len(text) >= 4 && len(text) <= 12 && (strings.Contains(low, "passcode") || strings.Contains(low, "pin")) || len(text) >= 6 && len(text) <= 10
		}
		return values.Passwordish(text, !linked) || w.inNetrc(v)
	}
	switch {
	case linked && (values.Drawn(text) || len(text) >= 12 && values.Passwordish(text, true) && strings.ContainsAny(text, "!#$%^&*@~")):
		return true
	case !linked && n == 0 && len(text) >= 20:
		return values.Drawn(text)
	case c == cues.Token && chars.Run(text, 0, chars.Digit) == len(text) && linked:
		return len(text) >= 6 && len(text) <= 10 && strings.Contains(w.s[max(0, v.From-16):v.From], "code")
	}
	// "session_id cookie 9a4a…", "clave secreta es ..."
	return !linked && n == 1 && len(text) >= 32 && values.Drawn(text)
}

// inNetrc reports whether v stands behind the password of a .netrc file, where any word is one.
func (w *Reader) inNetrc(v pieces.Piece) bool {
	before := strings.TrimRight(w.s[max(0, v.From-200):v.From], " \t")
	if v.To-v.From < 3 || !strings.HasSuffix(before, "password") || !strings.Contains(before, "machine ") && !strings.Contains(before, "default") {
		return false
	}
	fields := strings.Fields(before[strings.LastIndex(before, "login ")+1:]) // "ogin", the name and "password"
	return strings.Contains(before, "login ") && (len(fields) == 3 || len(fields) == 5 && fields[2] == "account")
}

// tellsQuoted judges a value in quotation marks.
func (w *Reader) tellsQuoted(c cues.Cue, text string, linked bool) bool {
	fields := strings.Fields(text)
	if len(fields) == 0 || len(text) < 3 || vocabulary.RoleOf(words.Lower(strings.Trim(fields[0], ".,:;!?")))&vocabulary.States != 0 || strings.IndexByte(",)+;]}:&({[", text[0]) >= 0 {
		return false
	}
	if c == cues.PIN {
		return chars.Run(text, 0, chars.Digit) == len(text) && len(text) >= 4
	}
	if c != cues.Password && c != cues.Login {
		return len(fields) == 1 && (values.Drawn(text) && len(text) >= 20 || linked && (values.Drawn(text) || values.Passwordish(text, true) && len(text) >= 8))
	}
	if len(fields) > 1 {
		return linked && len(fields) <= 8 && !values.Sentence(text, 3)
	}
	if !linked {
		return values.Passwordish(text, false)
	}
	return !strings.Contains(text, "://") && !values.Dotted(text) && !values.Technical(text) && keys.GradeKey(text) == keys.None
}

// Login reports the password of "credentials: user / password" and of "user:password".
func (w *Reader) Login(from, end int) {
	s := w.s
	stop := min(len(s), end+160)
	line := s[end:stop]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	stop = end + len(line)
	at := end
	// Words up to a colon or a link: "für den Testserver:", "with", "are".
	for n := 0; n < 6; n++ {
		at = words.Blanks(s, at, stop)
		if at >= stop {
			return
		}
		if s[at] == '(' && w.pair(words.Blanks(s, at+1, stop), stop, false) { // "the default credentials (admin / Qwz!8812)"
			return
		}
		if sep := separator(s, at); sep > 0 && s[at] != '-' {
			w.pair(words.Blanks(s, at+sep, stop), stop, s[at] == ':' && !strings.HasPrefix(words.Lower(s[from:end]), "login"))
			return
		}
		v := pieces.At(s, at)
		if v.To <= v.From || v.Quoted {
			return
		}
		low := words.Lower(v.In(s))
		if vocabulary.RoleOf(low)&vocabulary.Leads != 0 || low == "with" || low == "mit" || low == "avec" || low == "con" || low == "as" || low == "als" {
			w.pair(words.Blanks(s, v.End, stop), stop, true)
			return
		}
		if w.pair(at, stop, false) {
			return
		}
		at = v.To
	}
}

// pair reports the password of "user / password" or "user:password" at s[at]. If a sign
// promises one, a plain word that ends the clause is one, too.
func (w *Reader) pair(at, stop int, promised bool) bool {
	s := w.s[:stop]
	open := ""
	if at < stop && strings.IndexByte("`\"'", s[at]) >= 0 {
		open = s[at : at+1]
		at++
	}
	user := chars.Run(s, at, chars.Word|chars.Dot)
	if user < stop && s[user] == '@' {
		user = chars.Run(s, user+1, chars.Word|chars.Dot)
	}
	if user == at || user >= stop {
		return false
	}
	name := words.Lower(s[at:user])
	if open != "" && strings.HasPrefix(s[user:], open) && user+1 < stop && s[user+1] == ' ' { // `user` / `password`
		user, open = user+1, ""
	}
	next := words.Blanks(s, user, stop)
	switch {
	case next > user && next < stop && (s[next] == '/' || s[next] == '|'):
	case next == user && next < stop && s[next] == ':' && next+1 < stop && s[next+1] > ' ':
	case next == user && next < stop && s[next] == '/':
		if v := pieces.At(s, next+1); v.Quoted || !strings.ContainsAny(v.In(s), values.Special) {
			return false
		}
	default:
		return false
	}
	v := pieces.At(s, words.Blanks(s, next+1, stop))
	if open != "" {
		if i := strings.Index(s[v.From:], open); i > 0 {
			v.To = v.From + i
		}
	}
	text := v.In(s)
	if v.To <= v.From || values.IsPlaceholder(text) || values.IsReference(text, 0) || strings.Contains(text, "://") {
		return false
	}
	if low := words.Lower(text); !v.Quoted && !values.Passwordish(text, false) && !vocabulary.KnownPassword(low) && !(promised && vocabulary.PlainWord(text, "") && !vocabulary.CalledSo(name) && !vocabulary.CalledSo(low) && w.clauseEnds(v)) {
		return false
	}
	w.found.Add("password", v.From, v.To)
	return true
}
