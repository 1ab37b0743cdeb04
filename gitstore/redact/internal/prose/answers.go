package prose

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/cues"
	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
	"github.com/git-sage/git-sage/gitstore/redact/internal/vocabulary"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// fieldsBefore returns the words before s[end] on its line, in lower case; so many bytes are
// looked at.
func (w *Reader) fieldsBefore(end, bytes int) []string {
	line := w.s[max(0, end-bytes):end]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.FieldsFunc(words.Lower(line), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",:=\"'`*()", r) })
}

// loggedAs reports whether the plain word v behind the name of a password at s[from] is the
// password of the user who is named before: "as pi, password raspberry".
func (w *Reader) loggedAs(v pieces.Piece, from int) bool {
	if v.To-v.From < 4 || !w.clauseEnds(v) {
		return false
	}
	words := w.fieldsBefore(from, 64)
	for len(words) > 0 {
		switch words[len(words)-1] {
		case "and", "with", "the", "und", "mit", "et", "avec", "le", "mot", "de", "y", "con", "la", "dem", "contraseña":
			words = words[:len(words)-1]
			continue
		}
		break
	}
	if len(words) < 2 {
		return false
	}
	switch words[len(words)-2] {
	case "user", "username", "login", "as", "account", "benutzer", "benutzername", "nutzer", "konto", "als", "utilisateur", "identifiant", "compte", "usuario", "cuenta", "utente":
		return w.plain(v, from, "")
	}
	return false
}

// wireless reports whether the key at s[from] is that of a wireless network.
func (w *Reader) wireless(from int) bool {
	line := words.Lower(w.s[max(0, from-60):from])
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.Contains(line, "wifi") || strings.Contains(line, "wi-fi") || strings.Contains(line, "wlan") || strings.Contains(line, "ssid")
}

// numbered moves over the number that says how the password behind a cue of a router's
// configuration is written ("password 7 0871...", "secret 0 x"), and reports a password of
// its kind: then it returns -1.
func (w *Reader) numbered(c cues.Cue, end int) int {
	s := w.s
	if end+3 >= len(s) || s[end] != ' ' || s[end+2] != ' ' || strings.IndexByte("0456789", s[end+1]) < 0 || c == cues.PIN {
		return end
	}
	v := pieces.At(s, end+3)
	text := v.In(s)
	if v.To <= v.From || v.Quoted || values.IsPlaceholder(text) {
		return end
	}
	rest := words.Blanks(s, v.End, len(s))
	last := rest >= len(s) || s[rest] == '\n' || s[rest] == '\r'
	switch s[end+1] {
	case '7': // reversible: an offset and pairs of hex digits
		if len(text) < 6 || len(text)%2 != 0 || chars.Run(text, 0, chars.Digit|chars.Lower|chars.Upper) != len(text) || strings.Trim(text, "0123456789abcdefABCDEF") != "" || text[0] > '1' {
			return end
		}
	case '0':
		if !last || len(text) < 4 || values.IsReference(text, 0) {
			return end
		}
	default:
		if text[0] != '$' && (len(text) < 20 || !values.Drawn(text)) {
			return end
		}
	}
	w.found.Add(c.Rule(), v.From, v.To)
	return -1
}

// Answered reports the password that comes after a remark about it: "the password changed,
// it's Qwz!8812 now", "what is the password? It's Qwz!8812".
func (w *Reader) Answered(end int) {
	s := w.s
	stop := min(len(s), end+120)
	at := end
	if at < stop && s[at] == '?' {
		next := words.Blanks(s, at+1, stop)
		if next < stop && s[next] == '\n' {
			w.answer(words.Blanks(s, next+1, stop), true)
		}
	}
	// What the name before looked at needs no second look.
	lines := 0
	for at = max(at, w.asked); at < stop; at++ {
		w.asked = at + 1
		switch s[at] {
		case '\n':
			if lines++; lines > 1 {
				return
			}
			fallthrough
		case ' ':
		default:
			continue
		}
		rest := s[at+1 : stop]
		if rest == "" || strings.IndexByte("iIecjna", rest[0]) < 0 {
			continue
		}
		for _, link := range [...]string{"it's ", "it’s ", "It's ", "It is ", "it is ", "its ", "es ist ", "es lautet ", "jetzt ", "c'est ", "c’est ", "il est ", "ahora es ", "es ahora ", "now "} {
			if !strings.HasPrefix(rest, link) {
				continue
			}
			next := at + 1 + len(link)
			for range 2 {
				next = words.Blanks(s, next, stop)
				if v := pieces.At(s, next); v.To > v.From && v.To == v.End && vocabulary.RoleOf(words.Lower(v.In(s)))&vocabulary.Fills != 0 {
					next = v.End
				}
			}
			if w.answer(words.Blanks(s, next, stop), len(link) < 5) {
				return
			}
		}
	}
}

func (w *Reader) answer(at int, strict bool) bool {
	v := pieces.At(w.s, min(at, len(w.s)))
	text := v.In(w.s)
	if v.To <= v.From || values.IsPlaceholder(text) || values.IsReference(text, 0) || values.IsCall(text) || values.Dotted(text) || !values.Passwordish(text, strict) {
		return false
	}
	w.found.Add("password", v.From, v.To)
	return true
}

// Entered does what enter does behind a verb that means it together with "in" alone.
func (w *Reader) Entered(end int) {
	if words.HasStart(w.s[end:], " in ", " on ", " into ", " as ", " with ") {
		w.Enter(end)
	}
}

// Enter reports the password of "log in as root / Qwz!8812", whose verb ends at s[end].
func (w *Reader) Enter(end int) {
	s := w.s
	stop := min(len(s), end+100)
	at := end
	for range 5 {
		at = words.Blanks(s, at, stop)
		v := pieces.At(s[:stop], at)
		if at >= stop || v.To <= v.From || v.Quoted || v.To < v.End {
			return
		}
		at = v.End
		switch words.Lower(v.In(s)) {
		case "as", "with", "using", "mit", "als", "avec", "comme", "con", "como", "com":
		default:
			continue
		}
		break
	}
	at = words.Blanks(s, at, stop)
	for _, skip := range [...]string{"user ", "the user ", "username ", "Benutzer ", "usuario ", "utilisateur "} {
		if strings.HasPrefix(s[at:stop], skip) {
			at = words.Blanks(s, at+len(skip), stop)
		}
	}
	if w.pair(at, stop, false) {
		return
	}
	user := pieces.At(s[:stop], at)
	if user.To <= user.From || user.To-user.From > 48 || !user.Quoted && user.To < user.End && s[user.To] != ',' {
		return
	}
	at = words.Blanks(s, user.End, stop)
	joint := pieces.At(s[:stop], at)
	switch words.Lower(joint.In(s)) {
	case "/", "and", "und", "et", "y", "e", "&":
	default:
		return
	}
	v := pieces.At(s, words.Blanks(s, joint.End, stop))
	text := v.In(s)
	if v.To <= v.From || values.IsPlaceholder(text) || values.IsReference(text, 0) || values.IsCall(text) || values.Dotted(text) {
		return
	}
	if values.Passwordish(text, !v.Quoted && s[joint.From] != '/') || s[joint.From] == '/' && vocabulary.KnownPassword(words.Lower(text)) {
		w.found.Add("password", v.From, v.To)
	}
}
