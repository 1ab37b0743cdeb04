// Package shell finds passwords in lines of shell, by the programs that they run.
package shell

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/cues"
	"github.com/git-sage/git-sage/gitstore/redact/internal/idioms"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// maxShell bounds the line of shell that is read behind the name of a program.
const maxShell = 4096

// A tool says where a program takes passwords.
type tool struct {
	sub   string // a word of the command that must come first, "" for none
	user  string // options with user:password
	pass  string // options with a password behind them
	tight string // options with a password in the same word
	sep   string // between user and password, if not a colon
}

// toolOf returns how the program of a name takes passwords.
func toolOf(name string) tool {
	switch name {
	case "curl":
		return tool{user: " -u --user -U --proxy-user ", pass: " --oauth2-bearer --pass --proxy-pass --tlspassword "}
	case "http", "https", "xh", "xhs":
		return tool{user: " -a --auth "}
	case "wget":
		return tool{pass: " --password --http-password --ftp-password --proxy-password "}
	case "sshpass":
		return tool{pass: " -p ", tight: "-p"}
	case "redis-cli", "valkey-cli", "keydb-cli":
		return tool{pass: " -a --pass ", tight: ""}
	case "mongo", "mongosh", "mongodump", "mongorestore", "mongoimport", "mongoexport", "cqlsh", "beeline", "twine", "psexec", "psexec.py", "crackmapexec", "netexec", "nxc",
		"evil-winrm", "rdesktop", "smbmap", "influx":
		return tool{pass: " -p --password -password ", tight: ""}
	case "docker", "podman", "nerdctl", "buildah", "helm", "oras", "skopeo", "crane", "az":
		return tool{sub: "login", pass: " -p --password ", tight: ""}
	case "smbclient", "rpcclient", "winexe":
		return tool{user: " -U --user ", sep: "%"}
	case "lftp":
		return tool{user: " -u --user ", sep: ","}
	case "ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami", "ldappasswd", "ldapdelete":
		return tool{pass: " -w -s ", tight: "-w"}
	case "zip", "unzip":
		return tool{pass: " -P --password ", tight: ""}
	case "7z", "7za", "7zz", "7zr", "rar", "unrar":
		return tool{tight: "-p"}
	case "sqlcmd", "bcp", "osql", "ipmitool", "mosquitto_pub", "mosquitto_sub":
		return tool{pass: " -P --pw ", tight: ""}
	case "snmpwalk", "snmpget", "snmpset", "snmpbulkwalk", "snmptrap":
		return tool{pass: " -A -X -c "}
	case "useradd", "usermod":
		return tool{pass: " -p --password "}
	case "gpg", "gpg2":
		return tool{pass: " --passphrase "}
	case "svn", "clickhouse-client":
		return tool{pass: " --password "}
	case "plink", "pscp", "psftp":
		return tool{pass: " -pw "}
	case "openssl":
		return tool{pass: " -k -K "}
	case "gh":
		return tool{sub: "secret", pass: " --body -b "}
	case "xfreerdp":
		return tool{tight: "/p:"}
	case "cmdkey":
		return tool{tight: "/pass:"}
	case "schtasks":
		return tool{pass: " /rp /RP "}
	case "kubectl", "oc":
		return tool{sub: "secret", user: " --from-literal ", sep: "="}
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlsh", "mysqlcheck", "mariadb", "mariadb-dump", "mariadb-admin":
		return tool{tight: "-p", pass: " --password "}
	}
	return tool{}
}

// A shellWord is a word of shell: bare text, then perhaps a quoted rest.
type shellWord struct {
	from, to   int // without the marks of one that is quoted as a whole
	inner, end int // where the quoted rest begins, or to; where the next word may begin
	Quoted     bool
	last       bool // nothing of this line follows
}

// A Reader looks for secrets in lines of shell.
type Reader struct {
	s       string
	found   *spans.Set
	scanned int // the end of the lines that were read
	depth   int // of quoted shell in shell
}

// New returns a reader of s that reports to found.
func New(s string, found *spans.Set) Reader { return Reader{s: s, found: found} }

// Line reads the line of shell that begins with the program at s[at], and those behind |
// and && on the same line.
func (w *Reader) Line(at int) {
	s := w.s
	if at < w.scanned {
		return
	}
	if at > 0 && (chars.In(s[at-1], chars.Alnum) && s[at-1] != '7' || s[at-1] == '_' || s[at-1] == '.' || s[at-1] == '-') {
		return
	}
	if at > 0 && s[at-1] == '7' {
		at--
	}
	stop := min(len(s), at+maxShell)
	var line shellLine
	closer := byte(0)
	if at > 0 && strings.IndexByte("\"'`", s[at-1]) >= 0 {
		closer = s[at-1]
	}
	for at < stop {
		next, state := shellGap(s, at, stop)
		at = next
		if state != 0 {
			line.close(w)
			if state == '\n' {
				break
			}
			if state == '|' {
				line = shellLine{piped: line.said}
			} else {
				line = shellLine{}
			}
			continue
		}
		if at >= stop {
			break
		}
		word := shellWordAt(s, at, stop, closer)
		if word.end <= at {
			break
		}
		line.add(w, word)
		at = word.end
		if word.Quoted && w.depth == 0 && strings.IndexByte(s[word.from:word.to], ' ') > 0 {
			inner := Reader{s: s[:word.to], found: w.found, depth: 1}
			inner.commandsIn(word.from, word.to)
		}
		if word.last {
			break
		}
	}
	line.close(w)
	w.scanned = max(w.scanned, at)
}

// commandsIn reads the lines of shell in a quoted word.
func (w *Reader) commandsIn(at, stop int) {
	var buf [cues.MaxLength]byte
	for at < stop {
		end := at
		for n := words.Letter(w.s, end); n > 0 && end < stop; n = words.Letter(w.s, end) {
			end += n
		}
		if end == at {
			at++
			continue
		}
		if end-at <= cues.MaxLength && cues.Of(string(words.Fold(buf[:0], w.s[at:end]))) == cues.Command {
			w.Line(at)
			end = max(end, w.scanned)
		}
		at = end
	}
}

// shellGap skips blanks and lines that go on. The state is what ends a command here: a line
// feed, | or &; or 0.
func shellGap(s string, at, stop int) (next int, state byte) {
	for at < stop {
		switch c := s[at]; {
		case c == ' ' || c == '\t' || c == '\r':
			at++
		case c == '\\' && strings.HasPrefix(s[at:stop], "\\\n"):
			at += 2
		case c == '\\' && strings.HasPrefix(s[at:stop], "\\\r\n"):
			at += 3
		case c == '\\' && strings.HasPrefix(s[at:stop], `\\\n`): // in JSON
			at += 4
		case c == '\\' && (strings.HasPrefix(s[at:stop], `\n`) || strings.HasPrefix(s[at:stop], `\r`)):
			return at, '\n'
		case c == '\n' || c == '#':
			return at, '\n'
		case c == '|' && at+1 < stop && s[at+1] == '|':
			return at + 2, '&'
		case c == '|':
			return at + 1, '|'
		case c == ';' || c == '&' || c == '(' || c == ')':
			return at + 1, '&'
		default:
			return at, 0
		}
	}
	return at, 0
}

// shellWordAt reads the word at s[at]. A quote in the midst of a word that is no option
// closes what the line stands in.
func shellWordAt(s string, at, stop int, closer byte) (w shellWord) {
	if slashes := words.RunOf(s[:stop], at, `\`) - at; at+slashes < stop && strings.IndexByte("\"'`", s[at+slashes]) >= 0 {
		q := at + slashes
		if s[q] == closer && slashes == 0 {
			return shellWord{end: at}
		}
		from, to, end := pieces.Quoted(s[:stop], q, slashes)
		if end == 0 {
			return shellWord{end: at}
		}
		return shellWord{from: from, to: to, inner: from, end: end, Quoted: true}
	}
	w = shellWord{from: at}
	i := at
	for ; i < stop; i++ {
		switch c := s[i]; {
		case c <= ' ', c == ';', c == '|', c == '&' && (i+1 >= stop || s[i+1] <= ' ' || s[i+1] == '&'), c == ')':
			w.to, w.inner, w.end = i, i, i
			return w
		case c == '[' && spans.Placeholder(s[i:]) > 0:
			i += spans.Placeholder(s[i:]) - 1
		case c == '$' && i+1 < stop && (s[i+1] == '(' || s[i+1] == '{'):
			if n := strings.IndexAny(s[i:min(stop, i+200)], ")}\n"); n > 0 && s[i+n] != '\n' {
				i += n
			}
		case c == '\\' && i+1 < stop && (s[i+1] == '\n' || strings.IndexByte("nr", s[i+1]) >= 0 && at == i):
			w.to, w.inner, w.end = i, i, i
			return w
		case c == '"' || c == '\'' || c == '`' || c == '\\' && i+1 < stop && strings.IndexByte("\"'`", s[i+1]) >= 0:
			slashes := words.RunOf(s[:stop], i, `\`) - i
			q := i + slashes
			opens := c == s[q] || slashes > 0
			head := s[at:i]
			if opens && !(s[q] == closer && slashes == 0) && (strings.HasPrefix(head, "-") || head[len(head)-1] == '=' || head[len(head)-1] == ':') {
				if from, to, end := pieces.Quoted(s[:stop], q, slashes); end > 0 {
					return shellWord{from: at, to: to, inner: from, end: end}
				}
			}
			w.to, w.inner, w.end, w.last = i, i, i, true
			return w
		}
	}
	w.to, w.inner, w.end = i, i, i
	return w
}

// A shellLine is one command as far as it was read.
type shellLine struct {
	name    string
	tool    tool
	sub     bool // the word that must come first has come
	want    byte // what the next word is: 'p' a password, 'u' user:password, 'c' cookies, 0 unknown
	n       int  // words that are no options
	places  [6]shellWord
	options string      // single letters that were given
	said    []shellWord // what echo prints
	piped   []shellWord // what was printed into this command
	plain   bool        // -AsPlainText was seen
	sink    bool        // reads a password from its input
}

func (l *shellLine) add(w *Reader, word shellWord) {
	s := w.s
	text := s[word.from:word.to]
	if l.name == "" {
		if i := strings.LastIndexByte(text, '/'); i >= 0 {
			text = text[i+1:]
		}
		if word.Quoted || strings.Contains(text, "=") {
			return
		}
		switch text {
		case "sudo", "exec", "time", "env", "nohup", "docker-compose", "&&":
			if text != "sudo" {
				return
			}
		}
		l.name = strings.TrimSuffix(strings.ToLower(text), ".exe")
		l.tool = toolOf(l.name)
		l.sub = l.tool.sub == ""
		return
	}
	if l.want != 0 {
		want := l.want
		l.want = 0
		switch want {
		case 'p':
			w.shellPassword(word.from, word.to)
			return
		case 'u':
			w.shellUser(word.from, word.to, l.tool.sep)
			return
		case 'c':
			idioms.CookiePairs(s, word.from, word.to, w.found)
			return
		}
	}
	switch {
	case !word.Quoted && len(text) > 1 && text[0] == '-':
		l.option(w, word)
	case !word.Quoted && l.name == "net" && text[0] == '/':
	case !word.Quoted && len(text) > 3 && text[0] == '/' && l.tool.tight != "" && strings.HasPrefix(text, l.tool.tight):
		w.shellPassword(word.from+len(l.tool.tight), word.to)
	case !word.Quoted && text != "" && text[0] == '/' && words.List(l.tool.pass).Has(text):
		l.want = 'p'
	default:
		l.place(w, word)
	}
}

// option reads an option and, if it is one of the tool's, the secret in it.
func (l *shellLine) option(w *Reader, word shellWord) {
	s := w.s
	text := s[word.from:word.to]
	name, _, joined := strings.Cut(s[word.from:word.inner], "=")
	if !joined && strings.HasPrefix(text, "--") {
		name = strings.TrimRight(s[word.from:word.inner], "\"'`\\")
	}
	t := l.tool
	if strings.HasPrefix(text, "--") && words.List(" --password-stdin --stdin --with-token ").Has(name) {
		l.sink = true
	}
	low := strings.ToLower(text)
	if low == "-asplaintext" {
		l.plain = true
		return
	}
	if !l.sub {
		return
	}
	switch {
	case joined && (words.List(t.user).Has(name)):
		w.shellUser(word.from+len(name)+1, word.to, t.sep)
	case joined && words.List(t.pass).Has(name):
		w.shellPassword(word.from+len(name)+1, word.to)
	case words.List(t.user).Has(text):
		l.want = 'u'
	case words.List(t.pass).Has(text):
		l.want = 'p'
	case l.name == "curl" && (text == "-b" || text == "--cookie"):
		l.want = 'c'
	case strings.HasPrefix(text, "--"):
	case t.tight != "" && strings.HasPrefix(text, t.tight):
		w.shellPassword(word.from+len(t.tight), word.to)
	case l.name == "curl" || l.name == "http":
		l.cluster(w, word)
	case t.user != "" && len(text) > 2 && words.List(t.user).Has(text[:2]):
		w.shellUser(word.from+2, word.to, t.sep)
	case l.name == "rar" || l.name == "unrar":
		if strings.HasPrefix(text, "-hp") {
			w.shellPassword(word.from+3, word.to)
		}
	case (l.name == "zip" || l.name == "sqlcmd" || l.name == "unzip") && len(text) > 3 && strings.HasPrefix(text, "-P"):
		w.shellPassword(word.from+2, word.to)
	default:
		if len(text) < 6 {
			l.options += text[1:]
		}
		if l.name == "sudo" && strings.Contains(text, "S") {
			l.sink = true
		}
	}
}

// cluster reads options of curl that are written together: -sSku user:password.
func (l *shellLine) cluster(w *Reader, word shellWord) {
	text := w.s[word.from:word.to]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == 'u' || text[i] == 'U' && l.name == "curl":
			if i+1 < len(text) {
				w.shellUser(word.from+i+1, word.to, "")
			} else {
				l.want = 'u'
			}
			return
		case strings.IndexByte("fsSLkvigIGnNOjlpqRZ46#0123a", text[i]) < 0:
			return
		}
	}
}

// place reads a word that is no option.
func (l *shellLine) place(w *Reader, word shellWord) {
	s := w.s
	text := s[word.from:word.to]
	if !word.Quoted && l.name != "echo" {
		// docker exec db mysql -p...
		if name := text[strings.LastIndexByte(text, '/')+1:]; name != l.name && toolOf(name) != (tool{}) {
			*l = shellLine{name: name, tool: toolOf(name), sub: toolOf(name).sub == "", piped: l.piped}
			return
		}
	}
	if !l.sub {
		l.sub = text == l.tool.sub
		return
	}
	if l.n < len(l.places) {
		l.places[l.n] = word
	}
	l.n++
	switch l.name {
	case "echo", "printf":
		l.said = append(l.said[:len(l.said):len(l.said)], word)
		if len(l.said) > 8 {
			l.said = l.said[1:]
		}
	case "openssl":
		if rest, ok := strings.CutPrefix(text, "pass:"); ok && rest != "" {
			w.shellPassword(word.from+5, word.to)
		}
	case "chpasswd":
		l.sink = true
	}
}

// close judges what only the whole command tells.
func (l *shellLine) close(w *Reader) {
	s := w.s
	text := func(i int) string {
		if i >= l.n || i >= len(l.places) {
			return ""
		}
		return s[l.places[i].from:l.places[i].to]
	}
	secret := func(i int) {
		if i < l.n && i < len(l.places) {
			w.shellPassword(l.places[i].from, l.places[i].to)
		}
	}
	switch l.name {
	case "htpasswd":
		switch {
		case !strings.Contains(l.options, "b"):
		case strings.Contains(l.options, "n"):
			secret(1)
		default:
			secret(2)
		}
	case "net":
		switch text(0) {
		case "use":
			for i := 1; i < min(l.n, 4); i++ {
				t := text(i)
				if t != "" && t[0] != '/' && t[0] != '\\' && t[0] != '*' && !(len(t) == 2 && t[1] == ':') {
					secret(i)
				}
			}
		case "user":
			if t := text(2); t != "" && t[0] != '/' && t != "*" {
				secret(2)
			}
		}
	case "vault", "bao":
		if t := text(1); text(0) == "login" && !strings.Contains(t, "=") && len(t) >= 8 {
			secret(1)
		}
	case "rabbitmqctl":
		if t := text(0); t == "add_user" || t == "change_password" || t == "authenticate_user" {
			secret(2)
		}
	case "wpa_passphrase":
		secret(1)
	case "rclone":
		if text(0) == "obscure" {
			secret(1)
		}
	case "mc":
		if text(0) == "alias" && text(1) == "set" && l.n > 5 {
			secret(5)
		}
	case "sqlplus":
		if user, rest, ok := strings.Cut(text(0), "/"); ok && user != "" && rest != "" {
			pass, _, _ := strings.Cut(rest, "@")
			from := l.places[0].from + len(user) + 1
			w.shellPassword(from, from+len(pass))
		}
	case "convertto-securestring":
		if l.plain {
			secret(0)
		}
	case "chpasswd":
		l.sink = true
	}
	if !l.sink {
		return
	}
	for _, word := range l.piped {
		t := s[word.from:word.to]
		if user, pass, ok := strings.Cut(t, ":"); ok && l.name == "chpasswd" {
			w.shellPassword(word.from+len(user)+1, word.from+len(user)+1+len(pass))
		} else {
			w.shellPassword(word.from, word.to)
		}
	}
}

// shellPassword reports s[from:to] unless it is filled in when the line is run.
func (w *Reader) shellPassword(from, to int) {
	s := w.s
	for to > from && strings.IndexByte("\"'`\\", s[to-1]) >= 0 {
		to--
	}
	for from < to && strings.IndexByte("\"'`", s[from]) >= 0 {
		from++
	}
	v := s[from:to]
	if len(v) < 3 || v[0] == '-' || strings.IndexByte(v, '_') > 0 && keys.NameLike(v) || values.IsPlaceholder(v) || values.FilledIn(v) || values.IsPath(v) || strings.HasPrefix(v, "op://") || strings.HasPrefix(v, "env:") {
		return
	}
	w.found.Add("password", from, to)
}

// shellUser reports the password of user:password.
func (w *Reader) shellUser(from, to int, sep string) {
	if sep == "" {
		sep = ":"
	}
	s := w.s
	i := strings.Index(s[from:to], sep)
	if i < 0 {
		return
	}
	user, pass := s[from:from+i], strings.Trim(s[from+i+1:to], "\"'`\\")
	if strings.HasPrefix(pass, "//") {
		return
	}
	if len(user) >= 20 && values.Drawn(user) { // the user is a token
		w.found.Add("secret-value", from, from+i)
	}
	if pass == "" || chars.Run(user, 0, chars.Word|chars.Dot) < len(user) && values.Templated(strings.Trim(user, "\"'")) {
		return
	}
	w.shellPassword(from+i+1, to)
}
