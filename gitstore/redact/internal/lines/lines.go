// Package lines finds secrets that the shape of a line tells: .pgpass and hashes of passwords.
package lines

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
)

// Find reports secrets that the shape of a line tells: .pgpass and what files of
// passwords have as hashes.
func Find(s string, found *spans.Set) {
	for at := 0; at < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
			end = at + i
		}
		if line := s[at:end]; len(line) >= 12 && len(line) <= maxPgpass && strings.Count(line, ":") >= 4 {
			if from := pgpass(line); from > 0 {
				found.Add("password", at+from, at+len(strings.TrimRight(line, " \r\"'`,")))
			}
		}
		at = end + 1
	}
	findCrypt(s, found)
}

const maxPgpass = 400

// pgpass returns where the password of host:port:database:user:password begins, or 0.
func pgpass(line string) int {
	var cuts [5]int
	n := 0
	start := len(line) - len(strings.TrimLeft(line, " \t-+>\"'`"))
	for i := start; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == ':':
			if n == 4 {
				return 0
			}
			cuts[n] = i
			n++
		case line[i] <= ' ' || line[i] == '/' || line[i] == '(':
			if n < 4 {
				return 0
			}
		}
	}
	if n != 4 {
		return 0
	}
	host, port, db, user := line[start:cuts[0]], line[cuts[0]+1:cuts[1]], line[cuts[1]+1:cuts[2]], line[cuts[2]+1:cuts[3]]
	pass := strings.TrimRight(line[cuts[3]+1:], " \r\"'`,")
	switch {
	case host != "*" && (chars.Run(host, 0, chars.Word|chars.Dot) < len(host) || host == "" || chars.Run(host, 0, chars.Digit) == len(host)),
		port != "*" && (port == "" || len(port) > 5 || chars.Run(port, 0, chars.Digit) < len(port)),
		db == "" || user == "" || db != "*" && chars.Run(db, 0, chars.Digit) == len(db) || db != "*" && chars.Run(db, 0, chars.Word|chars.Dot) < len(db),
		len(pass) < 3 || strings.ContainsAny(pass, " \t") || values.IsPlaceholder(pass) || values.FilledIn(pass):
		return 0
	case port != "*" && !strings.HasPrefix(port, "543") && !strings.HasPrefix(port, "643") && !values.Passwordish(pass, false):
		return 0
	}
	return cuts[3] + 1
}

// hashes are beginnings of hashes of passwords, as crypt(3) and LDAP write them, and the
// least length of what follows.
var hashes = [...]struct {
	start string
	least int
}{
	{"$apr1$", 24}, {"$1$", 22}, {"$2a$", 56}, {"$2b$", 56}, {"$2y$", 56}, {"$2x$", 56}, {"$5$", 40}, {"$6$", 60}, {"$y$", 40}, {"$7$", 40}, {"$gy$", 40},
	{"$argon2", 40}, {"$scrypt$", 40}, {"$pbkdf2", 30}, {"$P$", 28}, {"$H$", 28}, {"{SHA}", 26}, {"{SSHA}", 30}, {"{SSHA256}", 40}, {"{SSHA512}", 60}, {"{CRYPT}", 13},
}

// findCrypt reports hashes of passwords: who has one can guess the password at leisure.
func findCrypt(s string, found *spans.Set) {
	for at := 0; at < len(s); {
		i := indexEither(s, at, '$', '{')
		if i < 0 {
			return
		}
		at = i
		next := at + 1
		for _, h := range hashes {
			if !strings.HasPrefix(s[at:], h.start) {
				continue
			}
			end := at + len(h.start)
			for end < len(s) && (chars.In(s[end], chars.Alnum|chars.B64|chars.Dot|chars.Dash) || s[end] == '$' || s[end] == ',') {
				end++
			}
			for end > at && strings.IndexByte(".,", s[end-1]) >= 0 && end-at > h.least+len(h.start) {
				end--
			}
			if end-at-len(h.start) >= h.least && chars.Mixed(s[at+len(h.start):end]) {
				found.Add("password-hash", at, end)
				next = end
			}
			break
		}
		at = next
	}
}

// indexEither returns where a or b is first in s[at:], or -1.
func indexEither(s string, at int, a, b byte) int {
	for i := at; i < len(s); i++ {
		if s[i] == a || s[i] == b {
			return i
		}
	}
	return -1
}
