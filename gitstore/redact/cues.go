package redact

import "strings"

// A cue is a word that tells what may stand beside it.
type cue uint8

const (
	noCue         cue = iota
	cuePassword       // the password is ...
	cuePIN            // the PIN is ..., of digits alone
	cueToken          // the token is ..., which must look drawn by lot
	cueKey            // the same, if the words around say that the key is no name
	cueLogin          // credentials: user / password
	cueDirective      // requirepass ..., -storepass ...
	cueCommand        // mysql -p...
	cueIdentified     // IDENTIFIED BY '...'
	cueCookie         // Cookie: a=...; b=...
	cueCall           // SetBasicAuth("user", "...")
	cueEnter          // log in as user / password
	cueCommunity      // snmp-server community ...
	cueUser           // user worker on >... of Redis
)

// cueOf returns what a word in lower case is a cue of.
func cueOf(w string) cue {
	switch w {
	case "password", "passwords", "passwort", "kennwort", "passphrase", "passcode", "passwd", "pwd", "pw", "pswd", "contraseña", "contrasena",
		"contrasenya", "passe", "mdp", "senha", "wachtwoord", "parola", "lösenord", "hasło", "salasana":
		return cuePassword
	case "pin":
		return cuePIN
	case "token", "jeton", "secret", "geheimnis", "jetons", "secreto", "segreto", "hmac", "apikey":
		return cueToken
	case "key", "schlüssel", "schluessel", "clé", "clave", "chiave", "chave", "llave":
		return cueKey
	case "credentials", "credential", "creds", "zugangsdaten", "anmeldedaten", "identifiants", "credenciales", "login", "logins", "credenziali":
		return cueLogin
	case "requirepass", "masterauth", "rootpw", "bindpw", "storepass", "keypass", "srcstorepass", "deststorepass", "srckeypass", "destkeypass",
		"psk", "wpapsk":
		return cueDirective
	case "curl", "http", "https", "xh", "xhs", "wget", "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlsh", "mysqlcheck", "mariadb", "sshpass",
		"redis", "valkey", "keydb", "mongo", "mongosh", "mongodump", "mongorestore", "mongoimport", "mongoexport", "openssl", "htpasswd", "docker", "podman",
		"nerdctl", "buildah", "skopeo", "helm", "oras", "crane", "az", "net", "smbclient", "smbmap", "rpcclient", "ldapsearch", "ldapmodify",
		"ldapadd", "ldapwhoami", "ldappasswd", "ldapdelete", "zip", "unzip", "z", "za", "rar", "unrar", "vault", "bao", "sqlcmd", "bcp", "osql", "snmpwalk",
		"snmpget", "snmpset", "snmpbulkwalk", "snmptrap", "twine", "rabbitmqctl", "useradd", "usermod", "gpg", "echo", "printf", "sqlplus", "plink", "pscp", "psftp",
		"psexec", "crackmapexec", "netexec", "nxc", "xfreerdp", "rdesktop", "cmdkey", "mosquitto", "ipmitool", "lftp", "svn", "cqlsh", "beeline", "gh", "kubectl",
		"oc", "rclone", "wpa", "mc", "kinit", "ansible", "sudo", "converttosecurestring", "convertto", "influx", "clickhouse", "winexe", "vncviewer",
		"evil", "wmic", "schtasks", "createuser", "gsettings", "expect", "flyway", "liquibase", "sqoop", "impala", "nmcli", "pass", "vncpasswd", "passwd_":
		return cueCommand
	case "log", "logs", "logged", "logging", "signed", "ssh", "connect", "authenticate", "anmelden", "angemeldet", "einloggen", "eingeloggt", "connecte", "connectez", "connecté",
		"entra", "entrar", "accede", "inicia", "conecta", "conéctate":
		return cueEnter
	case "community", "rocommunity", "rwcommunity":
		return cueCommunity
	case "user", "setuser":
		return cueUser
	case "identified":
		return cueIdentified
	case "cookie", "cookies":
		return cueCookie
	case "setbasicauth", "httpbasicauth", "httpdigestauth", "networkcredential", "basicauth", "basicauthcredentials", "usernamepasswordcredentials", "getconnection",
		"auth", "sign", "encode", "createcipheriv", "createdecipheriv", "createhmac", "plainauth", "passwordauthentication",
		"pscredential", "signwith", "verify", "decode", "scrypt", "httpbasicauthhandler":
		return cueCall
	}
	return noCue
}

// cueEnds are ends of compound words that are cues: Datenbankpasswort, dbPassword.
var cueEnds = [...]struct {
	end string
	cue cue
}{
	{"password", cuePassword}, {"passwort", cuePassword}, {"kennwort", cuePassword}, {"passphrase", cuePassword}, {"passwd", cuePassword},
	{"token", cueToken}, {"secret", cueToken}, {"schlüssel", cueKey},
}

// cued looks for secrets beside cues.
type cued struct {
	s      string
	found  *spans
	prose  proseReader
	idioms idiomReader
	shell  shellReader
}

// maxCue is the length of the longest word that can be a cue, in bytes.
const maxCue = 32

// findCued reports secrets that words tell of: in prose, in lines of shell, in SQL and in
// calls. It looks at each word once; what it reads behind one is bounded.
func findCued(s string, found *spans) {
	w := cued{
		s: s, found: found,
		prose:  proseReader{s: s, found: found},
		idioms: idiomReader{s: s, found: found},
		shell:  shellReader{s: s, found: found},
	}
	w.words(0, len(s))
}

func (w *cued) words(at, stop int) {
	var buf [maxCue]byte
	s := w.s
	for at < stop {
		n := letter(s, at)
		if n == 0 {
			at++
			continue
		}
		from := at
		if in(s[at], lower) && at > 0 && s[at-1] == '\\' && strings.IndexByte("nrt", s[at]) >= 0 && at+1 < stop && letter(s, at+1) > 0 {
			from++ // the n of \nPassword
		}
		for at < stop && n > 0 {
			at += n
			n = letter(s, at)
		}
		if at-from < 2 && (from == 0 || s[from-1] != '7') || at-from > maxCue || at > stop {
			continue
		}
		low := fold(buf[:0], s[from:at])
		c := cueOf(string(low))
		if c == noCue && len(low) > 6 {
			c = cueAtEnd(string(low))
		}
		if c != noCue {
			w.look(c, low, from, at)
		}
	}
}

func cueAtEnd(low string) cue {
	switch low[len(low)-1] {
	case 'd', 't', 'e', 'n', 'l':
		for _, e := range cueEnds {
			if strings.HasSuffix(low, e.end) {
				return e.cue
			}
		}
	}
	return noCue
}

// look reports the secrets beside the cue s[from:end].
func (w *cued) look(c cue, low []byte, from, end int) {
	switch c {
	case cueCommand:
		w.shell.shell(from)
	case cueIdentified:
		w.idioms.identified(end)
	case cueCookie:
		w.idioms.cookies(end)
		w.prose.told(cueToken, string(low), from, end)
	case cueCall:
		w.idioms.call(from, end)
		if string(low) == "sign" {
			w.prose.entered(end)
		}
	case cueDirective:
		w.idioms.directive(from, end)
	case cueLogin:
		w.prose.login(from, end)
		w.idioms.call(from, end)
		w.prose.enter(end)
	case cueEnter:
		if low[0] == 'l' || string(low) == "signed" {
			w.prose.entered(end)
		} else {
			w.prose.enter(end)
		}
	case cueCommunity:
		w.idioms.community(from, end)
	case cueUser:
		w.idioms.ruled(end)
	default:
		before := len(w.found.list)
		w.prose.told(c, string(low), from, end)
		w.idioms.paired(c, from, end)
		switch c {
		case cuePassword:
			if len(w.found.list) == before {
				w.idioms.tabled(from, end)
				w.prose.answered(end)
			}
		case cueToken:
			w.idioms.nested(end)
		}
	}
}

// letter returns the length of the letter at s[at], or 0. Marks such as « and “ and blanks
// that UTF-8 begins with C2 or E2 are none.
func letter(s string, at int) int {
	if at >= len(s) {
		return 0
	}
	c := s[at]
	switch {
	case in(c, lower|upper):
		return 1
	case c < 0xc3 || c == 0xe2:
		return 0
	case c < 0xe0 && at+1 < len(s):
		return 2
	case c < 0xf0 && at+2 < len(s):
		return 3
	}
	return 0
}

// fold appends w in lower case: ASCII and the letters of western Europe.
func fold(out []byte, w string) []byte {
	for i := range len(w) {
		c := w[i]
		if c >= 'A' && c <= 'Z' || c >= 0x80 && c <= 0x9e && i > 0 && w[i-1] == 0xc3 {
			c |= 0x20
		}
		out = append(out, c)
	}
	return out
}

// lowerWord returns a word in lower case as fold has it.
func lowerWord(w string) string { return string(fold(nil, w)) }

// blanks returns the end of the blanks at s[at], those of no width and no break included.
func blanks(s string, at, stop int) int {
	for at < stop {
		switch {
		case s[at] == ' ' || s[at] == '\t':
			at++
		case s[at] == 0xc2 && at+1 < stop && s[at+1] == 0xa0:
			at += 2
		case s[at] == 0xe2 && at+2 < stop && s[at+1] == 0x80 && (s[at+2] == 0xaf || s[at+2] == 0x89):
			at += 3
		default:
			return at
		}
	}
	return at
}

// marks are pairs of quotation marks.
var marks = [...][2]string{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"»", "«"}, {"‘", "’"}, {"‚", "‘"}, {"‹", "›"},
}

// A piece is a value in a text: what stands between marks or the end of a word.
type piece struct {
	from, to, end int
	quoted        bool
}

func (p piece) in(s string) string { return s[p.from:p.to] }

// maxPiece bounds what is read of a value.
const maxPiece = 512

// pieceAt returns the value at s[at]; of one that has none, end is at.
func pieceAt(s string, at int) piece {
	stop := min(len(s), at+maxPiece)
	slashes := runOf(s[:stop], at, `\`) - at
	for _, m := range marks {
		if !strings.HasPrefix(s[at+slashes:stop], m[0]) {
			continue
		}
		from := at + slashes + len(m[0])
		line := s[from:stop]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		closer := s[at:at+slashes] + m[1]
		if i := strings.Index(line, closer); i > 0 {
			inner := line[:i]
			left := len(inner) - len(strings.TrimLeft(inner, " \u00a0"))
			right := len(strings.TrimRight(inner, " \u00a0"))
			if right > left {
				return piece{from + left, from + right, from + i + len(closer), true}
			}
		}
		if m[0] != "„" {
			return piece{at, at, at, false}
		}
	}
	if slashes > 0 && at+slashes < len(s) && strings.IndexByte("nrt", s[at+slashes]) >= 0 {
		return piece{at, at, at, false}
	}
	end := at
	for end < stop && !pieceStops(s, end) {
		if s[end] == '[' && placeholder(s[end:]) > 0 {
			end += placeholder(s[end:])
			continue
		}
		end++
	}
	if end == stop && stop < len(s) {
		end = at + len(headOf(s[at:stop], stop-at))
	}
	to := end
	for to > at && strings.IndexByte(".,;:)]}*?", s[to-1]) >= 0 {
		if s[to-1] == ']' && strings.LastIndex(s[at:to], placeholderStart) >= 0 {
			break
		}
		to--
	}
	return piece{at, to, end, false}
}

func pieceStops(s string, at int) bool {
	switch c := s[at]; c {
	case '\'': // not that of d'ordine
		return at == 0 || letter(s, at+1) == 0 || !in(s[at-1], lower|upper)
	case '"', '`', '<', '>', '|':
		return true
	case '\\':
		return at+1 < len(s) && strings.IndexByte("nrt\"'", s[at+1]) >= 0
	case 0xc2:
		return at+1 < len(s) && (s[at+1] == 0xa0 || s[at+1] == 0xbb || s[at+1] == 0xab)
	case 0xe2:
		return at+1 < len(s) && s[at+1] == 0x80
	default:
		return c <= ' '
	}
}
