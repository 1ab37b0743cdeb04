package redact

import "strings"

// An idiomReader looks for secrets in what is written in one way: statements of SQL, calls,
// headers, tables, lines of configuration.
type idiomReader struct {
	s       string
	found   *spans
	tables  int // the end of the tables that were read
	cookied int // the end of the headers with cookies that were read
}

// identified reports the password of SQL's IDENTIFIED BY '...', whose first word ends at
// s[end]: CREATE USER x IDENTIFIED [WITH plugin] BY [PASSWORD] '...'.
func (w *idiomReader) identified(end int) {
	s := w.s
	stop := min(len(s), end+120)
	i := strings.Index(strings.ToLower(s[end:stop]), " by ")
	if i < 0 || strings.ContainsAny(s[end:end+i], "';\"\n") {
		return
	}
	at := blanks(s, end+i+4, stop)
	if len(s) >= at+9 && strings.EqualFold(s[at:at+9], "password ") {
		at = blanks(s, at+9, stop)
	}
	v := pieceAt(s, at)
	text := v.in(s)
	if v.to <= v.from || isPlaceholder(text) || filledIn(text) || text[0] == ':' || text[0] == '?' || len(text) < 3 {
		return
	}
	if !v.quoted && (run(text, 0, letters8) == len(text) || !plainValue(text)) { // "identified by name"
		return
	}
	w.found.add("password", v.from, v.to)
}

const letters8 = lower | upper

// plainValue reports whether v has letters, digits and signs of names alone.
func plainValue(v string) bool { return run(v, 0, word|dot|other) == len(v) || passwordish(v, false) }

// cookies reports the values of a Cookie header, whose name ends at s[end], that look drawn.
func (w *idiomReader) cookies(end int) {
	s := w.s
	if end >= len(s) || s[end] != ':' || end < w.cookied {
		return
	}
	stop := end + 1
	for stop < len(s) && stop < end+4096 && s[stop] != '\n' && s[stop] != '"' && !(s[stop] == '\\' && stop+1 < len(s) && s[stop+1] == 'n') {
		stop++
	}
	w.cookied = stop
	cookiePairs(s, end+1, stop, w.found)
}

// cookiePairs reports the values of name=value; name=value that look drawn.
func cookiePairs(s string, at, stop int, found *spans) {
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
			if v := s[from:to]; random(v) || len(v) >= 24 && drawn(strings.ReplaceAll(v, "%", "")) {
				found.add("cookie", from, to)
			}
		}
		at = end + 1
	}
}

// directive reports the value of a word that always has one: requirepass x, -storepass x.
func (w *idiomReader) directive(from, end int) {
	s := w.s
	if end >= len(s) || s[end] != ' ' && s[end] != '\t' || from > 0 && (in(s[from-1], word) && s[from-1] != '-' || s[from-1] == '.') {
		return
	}
	line := s[max(0, from-80):from]
	line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " \t")
	if line != "" && !strings.HasSuffix(line, "-") {
		return
	}
	at := blanks(s, end, len(s))
	for _, skip := range [...]string{"--plaintext ", "--iscrypted "} {
		if strings.HasPrefix(s[at:], skip) {
			at += len(skip)
		}
	}
	v := pieceAt(s, at)
	text := v.in(s)
	if v.to <= v.from || isPlaceholder(text) || filledIn(text) || text[0] == '-' || len(text) < 3 || isPath(text) {
		return
	}
	if rest := blanks(s, v.end, len(s)); line == "" && rest < len(s) && s[rest] != '\n' && s[rest] != '#' && s[rest] != '\\' && s[rest] != '\r' {
		return // a sentence
	}
	w.found.add("password", v.from, v.to)
}

// paired reports the value that stands beside the name of a secret rather than behind it:
// name="DB_PASSWORD" value="x", define('DB_PASSWORD', 'x'), fill('#password', 'x'),
// variable "db_password" { default = "x" }, (name, password) VALUES ('bo', 'x').
func (w *idiomReader) paired(c cue, from, end int) {
	s := w.s
	if end >= len(s) {
		return
	}
	switch s[end] {
	case '(':
		if c == cuePassword && from != end {
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
	quotes := runOf(s[:min(len(s), end+4)], end, "\\\"'`")
	if quotes == end && s[end] != '\n' {
		return
	}
	// Back to where the name begins: DB_PASSWORD, api.secret, #password.
	start := from
	for start > 0 && from-start < 40 && (in(s[start-1], word|dot) || s[start-1] == '#' || s[start-1] == '[' || s[start-1] == ':') {
		start--
	}
	lead := strings.TrimRight(s[max(0, start-24):start], "\"'`\\ ")
	lead = strings.ToLower(lead)
	strong := c == cuePassword
	at := runOf(s[:min(len(s), quotes+8)], quotes, " \t,)]>\r")
	switch {
	case hasEnd(lead, "name=", "key=", "name:", `name":`, `name\":`, "variable", `key":`, "key:", "id=", `name' =>`, "name\" =>"):
		w.valued(at, start, strong)
	case strong && strings.HasPrefix(s[start:], "-") && strings.IndexByte(s[quotes:at], ',') >= 0: // ["--password", "x"]
		w.literal(at, strong, false)
	case hasEnd(lead, "define("):
		w.literal(at, strong, false)
	case s[end] != '\n' && strong && strings.IndexByte(s[quotes:at], ',') >= 0 && hasEnd(lead, "fill(", "type(", "sendkeys(", "send_keys(", "settext(", "setvalue(", "put(", "set(", "setproperty(",
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

func hasEnd(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// valued reports the value that goes with a name that ends before s[at].
func (w *idiomReader) valued(at, start int, strong bool) {
	s := w.s
	stop := min(len(s), at+160)
	if at > 0 && at <= len(s) && s[at-1] == '>' { // <entry key="api.secret">x</entry>
		if i := strings.IndexByte(s[at:stop], '<'); i > 0 && strings.HasPrefix(s[at+i:], "</") {
			w.named(piece{at, at + i, at + i, true}, start)
		}
		return
	}
	rest := strings.ToLower(s[at:stop])
	for _, name := range [...]string{"value", "default"} {
		i := strings.Index(rest, name)
		if i < 0 || i > 0 && in(rest[i-1], alnum) && !strings.HasSuffix(s[:at+i], `\n`) || strings.Contains(rest[:i], "name") {
			continue
		}
		p := runOf(s[:stop], at+i+len(name), "\\\"' \t")
		if p >= stop || s[p] != ':' && s[p] != '=' {
			return
		}
		p = runOf(s[:stop], p+1, " \t>")
		w.named(pieceAt(s, p), start)
		return
	}
}

// named reports a value if its name, which begins at s[start], promises a secret.
func (w *idiomReader) named(v piece, start int) {
	s := w.s
	if v.to <= v.from {
		return
	}
	end := start
	for end < len(s) && end-start < maxKey && in(s[end], word|dot) {
		end++
	}
	a := assignment{key: s[start:end], sep: '=', first: true, last: true}
	if a.grade = gradeKey(a.key); a.grade == none {
		return
	}
	if v.quoted {
		a.quote = '"'
	}
	text := v.in(s)
	if a.grade == strong && !isPlaceholder(text) && !isReference(text, a.quote) && !filledIn(text) && strings.IndexByte(text, ' ') < 0 && len(text) >= 3 && !dotted(text) || a.secret(text) {
		w.found.add(a.rule(), v.from, v.to)
	}
}

// literal reports the quoted value at s[at].
func (w *idiomReader) literal(at int, strong, strict bool) {
	s := w.s
	at = runOf(s[:min(len(s), at+8)], at, " \t\n@NbB")
	v := pieceAt(s, at)
	text := v.in(s)
	if !v.quoted || len(text) < 3 || isPlaceholder(text) || filledIn(text) || strings.Contains(text, "://") || roleOf(lowerWord(text))&states != 0 {
		return
	}
	if strings.IndexByte(text, ' ') >= 0 || !strong && !drawn(text) && !passwordish(text, false) && len(text) < 32 || strict && !passwordish(text, false) && !drawn(text) {
		return
	}
	rule := "password"
	if !strong {
		rule = "secret-value"
	}
	w.found.add(rule, v.from, v.to)
}

// called reports the argument of setPassword("x") and PASSWORD('x'); s[end] is the bracket.
func (w *idiomReader) called(from, end int) {
	start := from
	for start > 0 && from-start < 24 && in(w.s[start-1], word) {
		start--
	}
	name := w.s[start:end]
	low := strings.ToLower(name)
	w.literal(end+1, true, !strings.HasPrefix(low, "set") && !strings.HasPrefix(low, "with") && name != "PASSWORD")
}

// call reports the secret that is a fixed argument of a function whose name ends at s[end]:
// SetBasicAuth("bo", "x"), jwt.sign(payload, "x"), auth=("bo", "x").
func (w *idiomReader) call(from, end int) {
	s := w.s
	stop := min(len(s), end+200)
	at := end
	low := lowerWord(s[from:end])
	if low == "auth" && at+1 < stop && s[at] == '=' && s[at+1] == '(' {
		at++
	} else if low == "auth" {
		return
	}
	if at >= stop || s[at] != '(' {
		return
	}
	at++
	var args [4]piece
	n := 0
	for n < len(args) && at < stop {
		at = runOf(s[:stop], at, " \t\n")
		if v := pieceAt(s, at); v.quoted {
			args[n] = v
			at = v.end
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
		at = runOf(s[:stop], at, " \t\n")
		if at >= stop || s[at] != ',' {
			break
		}
		at++
	}
	take := func(i int, strict bool) {
		if v := args[min(i, len(args)-1)]; i < n && v.quoted {
			text := v.in(s)
			if len(text) < 3 || isPlaceholder(text) || filledIn(text) || strings.IndexByte(text, ' ') >= 0 || roleOf(lowerWord(text))&states != 0 || strict && !passwordish(text, false) && !drawn(text) {
				return
			}
			w.found.add("password", v.from, v.to)
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
func (w *idiomReader) inserted(end int) {
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
		at = runOf(s[:limit], at, " \t\r\n,")
		if at >= limit || s[at] != '(' {
			return
		}
		at++
		for n := 0; at < limit && s[at] != ')'; n++ {
			at = runOf(s[:limit], at, " \t\r\n,NE")
			v := pieceAt(s[:limit], at)
			if n == column && v.quoted && !isPlaceholder(v.in(s)) && !filledIn(v.in(s)) {
				w.found.add("password", v.from, v.to)
			}
			if v.quoted {
				at = v.end
			} else {
				j := strings.IndexAny(s[at:limit], ",)")
				if j < 0 {
					return
				}
				at += j
			}
			at = runOf(s[:limit], at, " \t\r\n")
			if at < limit && s[at] == ',' {
				at++
			} else if at < limit && s[at] != ')' {
				return
			}
		}
		at++
	}
}
