package redact

import "strings"

// fieldsBefore returns the words before s[end] on its line, in lower case; so many bytes are
// looked at.
func (w *proseReader) fieldsBefore(end, bytes int) []string {
	line := w.s[max(0, end-bytes):end]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.FieldsFunc(lowerWord(line), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",:=\"'`*()", r) })
}

// loggedAs reports whether the plain word v behind the name of a password at s[from] is the
// password of the user who is named before: "as pi, password raspberry".
func (w *proseReader) loggedAs(v piece, from int) bool {
	if v.to-v.from < 4 || !w.clauseEnds(v) {
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
func (w *proseReader) wireless(from int) bool {
	line := lowerWord(w.s[max(0, from-60):from])
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.Contains(line, "wifi") || strings.Contains(line, "wi-fi") || strings.Contains(line, "wlan") || strings.Contains(line, "ssid")
}

// numbered moves over the number that says how the password behind a cue of a router's
// configuration is written ("password 7 0871...", "secret 0 x"), and reports a password of
// its kind: then it returns -1.
func (w *proseReader) numbered(c cue, end int) int {
	s := w.s
	if end+3 >= len(s) || s[end] != ' ' || s[end+2] != ' ' || strings.IndexByte("0456789", s[end+1]) < 0 || c == cuePIN {
		return end
	}
	v := pieceAt(s, end+3)
	text := v.in(s)
	if v.to <= v.from || v.quoted || isPlaceholder(text) {
		return end
	}
	rest := blanks(s, v.end, len(s))
	last := rest >= len(s) || s[rest] == '\n' || s[rest] == '\r'
	switch s[end+1] {
	case '7': // reversible: an offset and pairs of hex digits
		if len(text) < 6 || len(text)%2 != 0 || run(text, 0, digit|lower|upper) != len(text) || strings.Trim(text, "0123456789abcdefABCDEF") != "" || text[0] > '1' {
			return end
		}
	case '0':
		if !last || len(text) < 4 || isReference(text, 0) {
			return end
		}
	default:
		if text[0] != '$' && (len(text) < 20 || !drawn(text)) {
			return end
		}
	}
	w.found.add(c.rule(), v.from, v.to)
	return -1
}

// answered reports the password that comes after a remark about it: "the password changed,
// it's Qwz!8812 now", "what is the password? It's Qwz!8812".
func (w *proseReader) answered(end int) {
	s := w.s
	stop := min(len(s), end+120)
	at := end
	if at < stop && s[at] == '?' {
		next := blanks(s, at+1, stop)
		if next < stop && s[next] == '\n' {
			w.answer(blanks(s, next+1, stop), true)
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
				next = blanks(s, next, stop)
				if v := pieceAt(s, next); v.to > v.from && v.to == v.end && roleOf(lowerWord(v.in(s)))&fills != 0 {
					next = v.end
				}
			}
			if w.answer(blanks(s, next, stop), len(link) < 5) {
				return
			}
		}
	}
}

func (w *proseReader) answer(at int, strict bool) bool {
	v := pieceAt(w.s, min(at, len(w.s)))
	text := v.in(w.s)
	if v.to <= v.from || isPlaceholder(text) || isReference(text, 0) || isCall(text) || dotted(text) || !passwordish(text, strict) {
		return false
	}
	w.found.add("password", v.from, v.to)
	return true
}

// entered does what enter does behind a verb that means it together with "in" alone.
func (w *proseReader) entered(end int) {
	if hasStart(w.s[end:], " in ", " on ", " into ", " as ", " with ") {
		w.enter(end)
	}
}

// enter reports the password of "log in as root / Qwz!8812", whose verb ends at s[end].
func (w *proseReader) enter(end int) {
	s := w.s
	stop := min(len(s), end+100)
	at := end
	for range 5 {
		at = blanks(s, at, stop)
		v := pieceAt(s[:stop], at)
		if at >= stop || v.to <= v.from || v.quoted || v.to < v.end {
			return
		}
		at = v.end
		switch lowerWord(v.in(s)) {
		case "as", "with", "using", "mit", "als", "avec", "comme", "con", "como", "com":
		default:
			continue
		}
		break
	}
	at = blanks(s, at, stop)
	for _, skip := range [...]string{"user ", "the user ", "username ", "Benutzer ", "usuario ", "utilisateur "} {
		if strings.HasPrefix(s[at:stop], skip) {
			at = blanks(s, at+len(skip), stop)
		}
	}
	if w.pair(at, stop, false) {
		return
	}
	user := pieceAt(s[:stop], at)
	if user.to <= user.from || user.to-user.from > 48 || !user.quoted && user.to < user.end && s[user.to] != ',' {
		return
	}
	at = blanks(s, user.end, stop)
	joint := pieceAt(s[:stop], at)
	switch lowerWord(joint.in(s)) {
	case "/", "and", "und", "et", "y", "e", "&":
	default:
		return
	}
	v := pieceAt(s, blanks(s, joint.end, stop))
	text := v.in(s)
	if v.to <= v.from || isPlaceholder(text) || isReference(text, 0) || isCall(text) || dotted(text) {
		return
	}
	if passwordish(text, !v.quoted && s[joint.from] != '/') || s[joint.from] == '/' && knownPassword(lowerWord(text)) {
		w.found.add("password", v.from, v.to)
	}
}

// maxTable bounds what is read of a table below its head.
const maxTable = 8 << 10

// tabled reports the passwords of a table of Markdown in whose head the cue s[from:end] stands.
func (w *idiomReader) tabled(from, end int) {
	s := w.s
	if from < w.tables {
		return
	}
	if cell := runOf(s[:min(len(s), end+40)], end, " \t*`:-"); cell >= len(s) || s[cell] != '|' && s[cell] != '\n' && s[cell] != '\r' {
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
			name := strings.FieldsFunc(lowerWord(cell), func(r rune) bool { return r <= ' ' || r == '*' || r == '`' || r == '_' })
			secret[i] = len(name) > 0 && len(name) <= 3 && cueOf(name[len(name)-1]) == cuePassword
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
func (w *idiomReader) cells(at int, row string, secret []bool) {
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
		if v := cell[from:]; secret[i] && len(v) >= 4 && strings.IndexByte(v, ' ') < 0 && !isPlaceholder(v) && !isReference(v, 0) && !isCall(v) && !dotted(v) &&
			(passwordish(v, false) || plainWord(v, "")) {
			w.found.add("password", at+from, at+len(cell))
		}
		if n == len(row) {
			return
		}
		at, row = at+n+1, row[n+1:]
	}
}

// nested reports the value below a name that holds one: "secret": {"key": "..."}.
func (w *idiomReader) nested(end int) {
	s := w.s
	stop := min(len(s), end+200)
	at := runOf(s[:stop], end, "\\\"'")
	if at >= stop || s[at] != ':' && s[at] != '=' {
		return
	}
	at = runOf(s[:stop], at+1, " \t=>")
	if at >= stop || s[at] != '{' && s[at] != '\n' || s[at] == '\n' && (at+1 >= stop || s[at+1] != ' ') {
		return
	}
	at = runOf(s[:stop], at+1, " \t\r\n\\\"'")
	name := run(s[:stop], at, word)
	switch s[at:name] {
	case "key", "value", "data", "content", "val", "plaintext":
	default:
		return
	}
	at = runOf(s[:stop], name, "\\\"' ")
	if at >= stop || s[at] != ':' && s[at] != '=' {
		return
	}
	v := pieceAt(s, runOf(s[:stop], at+1, " \t=>"))
	if text := v.in(s); v.to > v.from && !isPlaceholder(text) && !isReference(text, 0) && !filledIn(text) && (len(text) >= 16 && drawn(text) || passwordish(text, true)) {
		w.found.add("secret-value", v.from, v.to)
	}
}

// community reports the community of SNMP, which is a password: snmp-server community x RO.
func (w *idiomReader) community(from, end int) {
	s := w.s
	before := s[max(0, from-16):from]
	if !hasEnd(before, "snmp-server ", "snmp ", "snmp-agent ") && !strings.HasPrefix(s[from:end], "r") {
		return
	}
	if end >= len(s) || s[end] != ' ' && s[end] != '\t' {
		return
	}
	v := pieceAt(s, blanks(s, end, len(s)))
	text := v.in(s)
	low := lowerWord(text)
	if v.to-v.from < 4 || isPlaceholder(text) || filledIn(text) || roleOf(low) != 0 || low == "community" || low == "strings" {
		return
	}
	rest := blanks(s, v.end, len(s))
	if rest < len(s) && s[rest] != '\n' && s[rest] != '\r' && s[rest] != '#' && !hasStart(strings.ToLower(s[rest:min(len(s), rest+6)]), "ro", "rw", "view", "ipv", "default", "1", "2", "localh") {
		return // a sentence
	}
	w.found.add("password", v.from, v.to)
}

// ruled reports the passwords of a user of Redis: "user worker on >x ~* +@all".
func (w *idiomReader) ruled(end int) {
	s := w.s
	stop := min(len(s), end+200)
	if end >= stop || s[end] != ' ' {
		return
	}
	at := run(s[:stop], end+1, word|dot)
	if at == end+1 || at >= stop || s[at] != ' ' {
		return
	}
	for range 8 {
		at = blanks(s, at, stop)
		v := pieceAt(s[:stop], at)
		switch {
		case at < stop && (s[at] == '>' || s[at] == '#'):
			v = pieceAt(s, at+1)
			rest := blanks(s, v.end, len(s))
			if text := v.in(s); v.to-v.from >= 4 && !isPlaceholder(text) && !filledIn(text) && (rest >= len(s) || strings.IndexByte("\n\r+-~&\"'", s[rest]) >= 0) {
				w.found.add("password", v.from, v.to)
			}
			return
		case v.to <= v.from:
			return
		}
		switch text := v.in(s); {
		case text == "on", text == "off", text == "reset", text == "resetpass", text == "resetkeys", text == "allkeys", text == "allchannels", strings.IndexByte("+-~&", text[0]) >= 0:
			at = v.end
		default:
			return
		}
	}
}
