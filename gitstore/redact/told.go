package redact

import (
	"strings"
	"unicode/utf8"
)

// maxBetween bounds the words between the name of a secret and what leads to it.
const maxBetween = 9

// A proseReader looks for secrets that sentences tell.
type proseReader struct {
	s     string
	found *spans
	asked int // the end of what was searched for an answer
}

// told reports the secret that a sentence tells behind the word s[from:end]:
// "the password for the router is Qwz!8812", "Passwort Qwz!8812".
func (w *proseReader) told(c cue, name string, from, end int) {
	s := w.s
	w.toldBefore(c, from)
	if strings.HasPrefix(s[end:], ", ") && c != cuePassword { // "our token, 86300eb1..., expires"
		if v := pieceAt(s, end+2); !v.quoted && len(v.in(s)) >= 20 && drawn(v.in(s)) && !w.isSum(from) {
			w.found.add(c.rule(), v.from, v.to)
		}
		return
	}
	if !w.nameEnds(name, from, end) {
		return
	}
	word := name == "clave" || name == "chave" || name == "llave" // a password, or a key
	linked, owned := false, c != cueKey || word || w.owned(from)
	link := "" // the word or the sign that leads to the secret
	if c == cueKey && !word && w.wireless(from) {
		c, owned = cuePassword, true
	}
	if end = w.numbered(c, end); end < 0 {
		return
	}
	stop := min(len(s), end+200)
	at := end
	for n := 0; n < maxBetween; n++ {
		at = blanks(s, at, stop)
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
			if v := pieceAt(s, at+1); n == 0 && v.to == at+i && !isPlaceholder(v.in(s)) && w.inBrackets(c, v, owned, from) { // the password (Qwz!8812)
				w.found.add(c.rule(), v.from, v.to)
				return
			}
			at += i + 1
			continue
		case sep > 0:
			linked, link = true, s[at:at+sep]
			at += sep
			continue
		}
		at = runOf(s[:stop], at, "*_")
		if at >= stop {
			return
		}
		v := pieceAt(s, at)
		if v.to <= v.from {
			return
		}
		text := v.in(s)
		low := lowerWord(text)
		does := roleOf(low)
		if !v.quoted && does&leads != 0 && (!linked || low == "be" || low == "to" || low == "auf") {
			linked, link = true, low
			if text[len(text)-1] == ':' || v.to < v.end && s[v.to] == ':' {
				at = v.end
				continue
			}
			if v.to < v.end {
				return // "as it is, ..."
			}
			at = v.end
			continue
		}
		if !v.quoted && (linked && does&fills != 0 || !linked && does&helps != 0) {
			at = v.end
			continue
		}
		if word && (v.quoted && n > 0 || linked) && passwordish(text, true) && w.tells(cuePassword, v, linked, n) || owned && w.tells(c, v, linked, n) {
			if c != cuePassword && w.isSum(from) {
				return
			}
			w.found.add(c.rule(), v.from, v.to)
			if at = w.followed(c, v.end); at == 0 {
				return
			}
			linked = true
			continue
		}
		if c == cuePassword && !v.quoted && (linked && w.plain(v, from, link) || !linked && n == 0 && w.loggedAs(v, from)) {
			w.found.add(c.rule(), v.from, v.to)
			return
		}
		if linked || v.quoted || v.to < v.end && s[v.to] != ':' || does&denies != 0 && !w.changes(v.end) || strings.IndexByte("([{<$", text[0]) >= 0 {
			return
		}
		owned = owned || does&owns != 0
		at = v.to
	}
}

// inBrackets reports whether v, all that stands in brackets behind the name of a secret at
// s[from], is that secret.
func (w *proseReader) inBrackets(c cue, v piece, owned bool, from int) bool {
	text := v.in(w.s)
	if c == cuePassword {
		return passwordish(text, true)
	}
	return owned && (c == cueToken || c == cueKey) && len(text) >= 20 && drawn(text) && !isReference(text, 0) && !isUUID(text) && !w.isSum(from)
}

// isUUID reports whether v is written as one, which mostly names something.
func isUUID(v string) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
}

// changes reports whether the word before s[at] is that of "reset to ...".
func (w *proseReader) changes(at int) bool {
	return hasStart(w.s[at:], " to ", " auf ", " en ", " a ", " à ")
}

func hasStart(s string, starts ...string) bool {
	for _, b := range starts {
		if strings.HasPrefix(s, b) {
			return true
		}
	}
	return false
}

// toldBefore reports the secret before its name: "Qwz!8812 is the password".
func (w *proseReader) toldBefore(c cue, from int) {
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
		for word > 0 && (in(line[word-1], lower|upper) || line[word-1] == '-') {
			word--
		}
		switch line[word : len(line)-1] {
		case "the", "my", "our", "a", "as", "das", "unser", "mein", "als", "la", "como", "come", "de":
			for _, link := range [...]string{" is the ", " is my ", " is our ", " is now the ", " as the ", " as a ", " as my ", " as our ", " as ", " ist das ", " ist unser ", " ist mein ",
				" als ", " es la ", " como la ", " como ", " como a ", " est le mot de ", " comme mot de ", " come ", " è la ", " é a "} {
				if hasEnd(line, link) {
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
func (w *proseReader) toldUntil(c cue, to int) {
	s := w.s
	stop, closer := to, ""
	for _, m := range marks {
		if hasEnd(s[:to], m[1]) {
			stop, closer = to-len(m[1]), m[0]
			if i := strings.LastIndex(s[max(0, stop-80):stop], closer); i >= 0 && c == cuePassword {
				i += max(0, stop-80) + len(closer)
				text := strings.Trim(s[i:stop], " \u00a0")
				if strings.IndexByte(text, '\n') < 0 && !isPlaceholder(text) && !isReference(text, 0) && !isCall(text) && !dotted(text) &&
					(passwordish(text, false) || strings.IndexByte(text, ' ') < 0 && plainWord(text, "")) {
					at := i + strings.Index(s[i:stop], text)
					w.found.add(c.rule(), at, at+len(text))
					return
				}
			}
		}
	}
	to = stop
	begin := to
	for begin > 0 && to-begin < 80 && !pieceStops(s, begin-1) {
		begin--
	}
	if text := s[begin:to]; to-begin >= 6 && !isPlaceholder(text) && !isReference(text, 0) && !isCall(text) && !dotted(text) &&
		(c == cuePassword && passwordish(text, true) || c != cuePassword && len(text) >= 20 && drawn(text)) {
		w.found.add(c.rule(), begin, to)
	}
}

func (c cue) rule() string {
	if c == cuePassword || c == cuePIN || c == cueLogin {
		return "password"
	}
	return "secret-value"
}

// owned reports whether the word before the key at s[from] says that it is a secret.
func (w *proseReader) owned(from int) bool {
	line := w.s[max(0, from-40):from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	before := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '\'' })
	if len(before) == 0 {
		return false
	}
	low := lowerWord(before[len(before)-1])
	return keyOwners.has(low) || roleOf(low)&owns != 0
}

// nameEnds reports whether the name of a secret ends at s[end], and a sentence or a value
// goes on: not password_hash, not passwords.txt.
func (w *proseReader) nameEnds(name string, from, end int) bool {
	s := w.s
	if end >= len(s) {
		return false
	}
	if name == "passe" && !strings.HasSuffix(strings.ToLower(s[max(0, from-7):from]), "mot de ") {
		return false
	}
	switch s[end] {
	case ':':
		if gradeOf(name) != none { // findAssigned judges it
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
func (w *proseReader) isSum(from int) bool {
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
func (w *proseReader) followed(c cue, at int) int {
	at = blanks(w.s, at, len(w.s))
	for _, next := range [...]string{"to ", "auf ", "en ", "a ", "à ", "zu "} {
		if c == cuePassword && strings.HasPrefix(w.s[at:], next) {
			return at + len(next)
		}
	}
	return 0
}

// tells reports whether v is a secret: n words behind its name, or linked to it.
func (w *proseReader) tells(c cue, v piece, linked bool, n int) bool {
	text := v.in(w.s)
	if !v.quoted && run(text, 0, lower|upper) == len(text) { // no more than a word
		return c == cuePassword && w.inNetrc(v) && !isPlaceholder(text)
	}
	if isPlaceholder(text) || isReference(text, 0) || isCall(text) || !utf8.ValidString(text) {
		return false
	}
	if v.quoted {
		if !linked && (n == 1 || n == 2) && c == cuePassword { // "mot de passe temporaire « X »", "clave de acceso «X»"
			return passwordish(text, true)
		}
		return (linked || n == 0) && w.tellsQuoted(c, text, linked)
	}
	switch {
	case !linked && n > 0 && c != cueToken && c != cueKey:
		return false
	case c == cuePIN:
		return linked && run(text, 0, digit) == len(text) && len(text) >= 4 && len(text) <= 12
	case c == cuePassword || c == cueLogin:
		if linked && run(text, 0, digit) == len(text) {
			low := lowerWord(w.s[max(0, v.from-60):v.from])
			return len(text) >= 4 && len(text) <= 12 && (strings.Contains(low, "passcode") || strings.Contains(low, "pin")) || len(text) >= 6 && len(text) <= 10
		}
		return passwordish(text, !linked) || w.inNetrc(v)
	}
	switch {
	case linked && (drawn(text) || len(text) >= 12 && passwordish(text, true) && strings.ContainsAny(text, "!#$%^&*@~")):
		return true
	case !linked && n == 0 && len(text) >= 20:
		return drawn(text)
	case c == cueToken && run(text, 0, digit) == len(text) && linked:
		return len(text) >= 6 && len(text) <= 10 && strings.Contains(w.s[max(0, v.from-16):v.from], "code")
	}
	// "session_id cookie 9a4a…", "clave secreta es ..."
	return !linked && n == 1 && len(text) >= 32 && drawn(text)
}

// inNetrc reports whether v stands behind the password of a .netrc file, where any word is one.
func (w *proseReader) inNetrc(v piece) bool {
	before := strings.TrimRight(w.s[max(0, v.from-200):v.from], " \t")
	if v.to-v.from < 3 || !strings.HasSuffix(before, "password") || !strings.Contains(before, "machine ") && !strings.Contains(before, "default") {
		return false
	}
	fields := strings.Fields(before[strings.LastIndex(before, "login ")+1:]) // "ogin", the name and "password"
	return strings.Contains(before, "login ") && (len(fields) == 3 || len(fields) == 5 && fields[2] == "account")
}

// tellsQuoted judges a value in quotation marks.
func (w *proseReader) tellsQuoted(c cue, text string, linked bool) bool {
	fields := strings.Fields(text)
	if len(fields) == 0 || len(text) < 3 || roleOf(lowerWord(strings.Trim(fields[0], ".,:;!?")))&states != 0 || strings.IndexByte(",)+;]}:&({[", text[0]) >= 0 {
		return false
	}
	if c == cuePIN {
		return run(text, 0, digit) == len(text) && len(text) >= 4
	}
	if c != cuePassword && c != cueLogin {
		return len(fields) == 1 && (drawn(text) && len(text) >= 20 || linked && (drawn(text) || passwordish(text, true) && len(text) >= 8))
	}
	if len(fields) > 1 {
		return linked && len(fields) <= 8 && !sentence(text, 3)
	}
	if !linked {
		return passwordish(text, false)
	}
	return !strings.Contains(text, "://") && !dotted(text) && !technical(text) && gradeKey(text) == none
}

// drawn reports whether v is drawn by lot: letters and digits take turns in it.
func drawn(v string) bool {
	if !random(v) || strings.ContainsAny(v, "\\:;|\"'`[]") {
		return false
	}
	turns, last := 0, class(0)
	for i := range len(v) {
		c := classes[v[i]] & (digit | lower | upper)
		if c == 0 {
			continue
		}
		if last != 0 && c != last {
			turns++
		}
		last = c
	}
	return turns > len(v)/6+1
}

// special are signs that words of prose and names of code do not have in their midst.
const special = "!#$%^&*@?+~§€"

// passwordish reports whether a word that prose tells is a password: letters with digits or
// signs among them, and nothing that is written so for another reason. A strict look, where
// no link says so, wants more: a sign, or digits in the midst of letters.
func passwordish(v string, strict bool) bool {
	n := utf8.RuneCountInString(v)
	if n < 5 || n > 64 || strict && n < 6 {
		return false
	}
	core := strings.Trim(v, "!?*_#@()[]~'\"")
	if strings.ContainsAny(core, "/\\(){}<>|=[]\"`,;") || strings.Contains(core, "::") || strings.Contains(core, "://") || technical(core) || isPath(core) {
		// A slash or two do not make a path of what has signs.
		if !strings.ContainsAny(core, "/") || !strings.ContainsAny(core, special) || strings.ContainsAny(core, "(){}<>|[]\"`") {
			return false
		}
	}
	var letters, lowers, uppers, digits, signs, within, turns int
	last := byte(0)
	for i := range len(core) {
		c := core[i]
		switch {
		case c >= 0x80 || in(c, lower):
			letters++
			lowers++
			if in(last, digit) {
				turns++
			}
		case in(c, upper):
			letters++
			uppers++
			if in(last, digit) {
				turns++
			}
		case in(c, digit):
			digits++
		case strings.IndexByte(special, c) >= 0:
			signs++
			if letters > 0 && i+1 < len(core) {
				within++
			}
		}
		last = c
	}
	ends := len(v) - len(core)
	switch {
	case letters < 2 || digits == 0 && signs == 0:
		return false
	case strings.IndexByte(core, '@') > 0 && strings.Contains(core[strings.IndexByte(core, '@'):], ".") && signs == 1 && digits == 0: // an address
		return false
	case digits == 0:
		return within > 0 && strings.ContainsAny(core, "!#$%^*@") && (uppers > 0 && lowers > 0 || ends == 0 && !strict && letters > 4)
	case signs > 0:
		return true
	}
	// Letters and digits, with - _ . : between them.
	i := strings.IndexAny(core, "0123456789")
	tail := strings.TrimRight(core, "0123456789")
	switch {
	case digits > letters+2, strings.ContainsAny(core, ":"):
		return false
	case lowers == 0 && strings.IndexByte(core, '-') > 0 && run(core, strings.IndexByte(core, '-')+1, digit) == len(core): // ABC-123
		return false
	case uppers == 0 && turns == 0 && strings.ContainsAny(core, "_."): // id_kunde2
		return false
	case lowers == 0 && strings.IndexByte(core, '_') >= 0: // MAX_2
		return false
	case run(core, 0, digit) > 0 && run(core, 0, digit) < len(core) && core[run(core, 0, digit)] == '-': // 12-character
		return false
	case strings.IndexByte(core, '.') > 0 && fileLike(core):
		return false
	case !strict:
		return n >= 6 || uppers > 0 || turns > 0
	}
	leet := turns > 0 && i > 0 && i < len(tail)
	return leet && gradeKey(tail) == none || uppers > 0 && lowers > 0 && n >= 8 && gradeKey(tail) == none || i == 0 && turns > 0 && letters > 4
}

// fileLike reports whether v ends as the name of a file or of a host does.
func fileLike(v string) bool {
	i := strings.LastIndexByte(v, '.')
	ext := v[i+1:]
	return len(ext) > 0 && len(ext) <= 5 && ext == strings.ToLower(ext) && in(ext[0], lower) && !mixed(ext)
}

const technicalWords words = " sha md base bcrypt argon argonid aes utf utf- rfc oauth rs hs es ps ed x pkcs p http https ipv ip k ks s ec v nist cve iso bit bits byte bytes " +
	"hours h hour min minutes days characters chars char digits digit letters totp u f fido log java python py node go web i nl b n w mp h pbkdf scrypt " +
	"password tls ssl ssh win mac linux crc uuid jwt jws jwe hmac-sha hmacsha sha- aes--gcm aes-gcm aes-cbc x- rsa rsa- curve chacha-poly " +
	"ripemd blake argoni postgres mysql python- java- sql mssql db redis vue react angular bootstrap gen ps php log j mode type step phase version day " +
	"week month q tier level stage part v-rc v-beta users user server host client auth middleware nth st nd rd th kb mb gb gib mib ms mysql neo j qr " +
	"zeichen caractères caracteres stellen jours días tagen tage stunden prod- staging- "

// technical reports whether v is a term that is written with digits: SHA-256, base64.
func technical(v string) bool {
	var letters [24]byte
	n := 0
	for i := range len(v) {
		c := v[i]
		if in(c, digit) || c == '.' {
			continue
		}
		if n == len(letters) {
			return false
		}
		letters[n] = c
		n++
	}
	low := strings.Trim(strings.ToLower(string(letters[:n])), "-_/:")
	return technicalWords.has(low)
}

// login reports the password of "credentials: user / password" and of "user:password".
func (w *proseReader) login(from, end int) {
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
		at = blanks(s, at, stop)
		if at >= stop {
			return
		}
		if s[at] == '(' && w.pair(blanks(s, at+1, stop), stop, false) { // "the default credentials (admin / Qwz!8812)"
			return
		}
		if sep := separator(s, at); sep > 0 && s[at] != '-' {
			w.pair(blanks(s, at+sep, stop), stop, s[at] == ':' && !strings.HasPrefix(lowerWord(s[from:end]), "login"))
			return
		}
		v := pieceAt(s, at)
		if v.to <= v.from || v.quoted {
			return
		}
		low := lowerWord(v.in(s))
		if roleOf(low)&leads != 0 || low == "with" || low == "mit" || low == "avec" || low == "con" || low == "as" || low == "als" {
			w.pair(blanks(s, v.end, stop), stop, true)
			return
		}
		if w.pair(at, stop, false) {
			return
		}
		at = v.to
	}
}

// pair reports the password of "user / password" or "user:password" at s[at]. If a sign
// promises one, a plain word that ends the clause is one, too.
func (w *proseReader) pair(at, stop int, promised bool) bool {
	s := w.s[:stop]
	open := ""
	if at < stop && strings.IndexByte("`\"'", s[at]) >= 0 {
		open = s[at : at+1]
		at++
	}
	user := run(s, at, word|dot)
	if user < stop && s[user] == '@' {
		user = run(s, user+1, word|dot)
	}
	if user == at || user >= stop {
		return false
	}
	name := lowerWord(s[at:user])
	if open != "" && strings.HasPrefix(s[user:], open) && user+1 < stop && s[user+1] == ' ' { // `user` / `password`
		user, open = user+1, ""
	}
	next := blanks(s, user, stop)
	switch {
	case next > user && next < stop && (s[next] == '/' || s[next] == '|'):
	case next == user && next < stop && s[next] == ':' && next+1 < stop && s[next+1] > ' ':
	case next == user && next < stop && s[next] == '/':
		if v := pieceAt(s, next+1); v.quoted || !strings.ContainsAny(v.in(s), special) {
			return false
		}
	default:
		return false
	}
	v := pieceAt(s, blanks(s, next+1, stop))
	if open != "" {
		if i := strings.Index(s[v.from:], open); i > 0 {
			v.to = v.from + i
		}
	}
	text := v.in(s)
	if v.to <= v.from || isPlaceholder(text) || isReference(text, 0) || strings.Contains(text, "://") {
		return false
	}
	if low := lowerWord(text); !v.quoted && !passwordish(text, false) && !knownPassword(low) && !(promised && plainWord(text, "") && !calledSo(name) && !calledSo(low) && w.clauseEnds(v)) {
		return false
	}
	w.found.add("password", v.from, v.to)
	return true
}
