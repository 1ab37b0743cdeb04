package redact

import (
	"encoding/base64"
	"strings"
)

// findShapes reports secrets whose shape a standard gives.
func findShapes(s string, found *spans) {
	findPEM(s, found)
	findPEMTail(s, found)
	findURLs(s, found)
	findDSN(s, found)
	findDotted(s, found)
	findSchemes(s, found)
}

// findURLs reports passwords in scheme://user:password@host, and user names
// that are tokens. The work is bounded: no authority is longer than 1 kB.
func findURLs(s string, found *spans) {
	for at := 0; ; {
		i := strings.Index(s[at:], "://")
		if i < 0 {
			return
		}
		at += i + 3
		if at-3 == 0 || !in(s[at-4], alnum|b64|dot|dash) {
			continue
		}
		if from, to := userinfo(s, at); to > from {
			found.add("url-password", from, to)
		}
	}
}

// userinfo returns where the password lies in the authority that starts at s[at].
func userinfo(s string, at int) (from, to int) {
	colon, sign := authority(s, at, min(len(s), at+1024))
	switch {
	case sign < 0:
		return 0, 0
	case colon >= 0 && (templated(s[colon+1:sign]) || exampleUser(s[at:colon], s[colon+1:sign])):
		return 0, 0
	case colon >= 0 && colon-at >= 20 && run(s, at, word) == colon && mixed(s[at:colon]): // token:x-oauth-basic
		return at, sign
	case colon >= 0:
		return colon + 1, sign
	}
	if user := s[at:sign]; len(user) >= 20 && mixed(user) && run(user, 0, word) == len(user) {
		return at, sign
	}
	return 0, 0
}

// exampleUser reports whether documentation writes so: user:password, postgres:postgres.
func exampleUser(user, pass string) bool {
	switch user {
	case "user", "username", "usr", "u", "me", "you", "name", "login":
		switch strings.ToLower(pass) {
		case "pass", "password", "passwd", "pwd", "pw", "secret", "token", "xxxx", "xxx", "mypassword":
			return true
		}
	}
	return user == pass && run(pass, 0, lower) == len(pass)
}

// authority returns where the user name ends and where the host begins: the
// first colon, or -1, and the last @ before the path, or -1.
//
// A password may hold / ? # unescaped; what follows a host or a port may not.
func authority(s string, at, stop int) (colon, sign int) {
	colon, sign = -1, -1
	for i := at; i < stop; i++ {
		switch s[i] {
		case '[':
			if i == at { // an address of IPv6
				return -1, -1
			}
		case ':':
			if strings.HasPrefix(s[i:], "://") {
				return colon, sign
			}
			before, _, more := strings.Cut(s[i:min(stop, i+80)], "@")
			if colon < 0 && (sign < 0 || more && before != "" && !strings.ContainsAny(before, "/ \n\"'<>")) {
				colon = i // the name of a user may be an address
			}
		case '/', '?', '#':
			if sign >= 0 || colon < 0 || run(s, colon+1, digit) == i {
				return colon, sign
			}
		case '@':
			sign = i
		case '<':
			if i != colon+1 {
				return colon, sign
			}
		case ' ', '\n', '\r', '\t', '"', '\'', '`', '|':
			return colon, sign
		}
	}
	return colon, sign
}

// findDSN reports the password of user:password@tcp(host)/db, which Go's driver of MySQL takes.
func findDSN(s string, found *spans) {
	for at := 0; ; {
		i := strings.Index(s[at:], "@tcp(")
		if j := strings.Index(s[at:], "@unix("); j >= 0 && (i < 0 || j < i) {
			i = j
		}
		if i < 0 {
			return
		}
		end := at + i
		from := end
		for from > at && end-from < 128 && s[from-1] > ' ' && strings.IndexByte("\"'`", s[from-1]) < 0 {
			from--
		}
		if colon := strings.IndexByte(s[from:end], ':'); colon >= 0 && from+colon+1 < end {
			if v := s[from+colon+1 : end]; !templated(v) && !strings.HasPrefix(v, "%") && !exampleUser(s[from:from+colon], v) {
				found.add("url-password", from+colon+1, end)
			}
		}
		at = end + 5
	}
}

// findDotted reports what is held together by dots or a colon: JWT, bot tokens
// of Discord and Telegram, and client secrets of Azure.
func findDotted(s string, found *spans) {
	for at := 0; at < len(s); at++ {
		switch s[at] {
		case 'e':
			if end := jwt(s, at); end > 0 {
				found.add("jwt", at, end)
				at = end - 1
			}
		case ':':
			if strings.HasPrefix(s[at:], ":AA") && run(s, at+1, word)-at > 33 {
				from := at
				for from > 0 && at-from < 12 && in(s[from-1], digit) {
					from--
				}
				if n := at - from; n >= 8 && n <= 11 {
					end := run(s, at+1, word)
					found.add("telegram-token", from, end)
					at = end - 1
				}
			}
		case '-':
			if from, end := mailchimp(s, at); end > 0 {
				found.add("mailchimp-key", from, end)
				at = end - 1
			}
		case '.':
			if strings.HasPrefix(s[at:], ".atlasv1.") {
				from, end := at, run(s, at+9, word)
				for from > 0 && at-from < 20 && in(s[from-1], alnum) {
					from--
				}
				if at-from >= 10 && end-at > 50 {
					found.add("terraform-token", from, end)
					at = end - 1
					continue
				}
			}
			if from, end := discord(s, at); end > 0 {
				found.add("discord-token", from, end)
				at = end - 1
			}
		case '~':
			if at >= 5 && s[at-1] == 'Q' && in(s[at-2], digit) && run(s[at-5:at-2], 0, jwtc) == 3 {
				if end := run(s[:min(len(s), at+40)], at+1, jwtc|other); end-at > 30 {
					found.add("azure-client-secret", at-5, end)
					at = end - 1
				}
			}
		}
	}
}

// jwt returns the end of the JSON web token at s[at], or 0. A token cut off in
// its second part counts: the parts are not encrypted.
func jwt(s string, at int) int {
	if !strings.HasPrefix(s[at:], "eyJ") || glued(s, at) || at > 0 && s[at-1] == '-' {
		return 0
	}
	end := run(s, at, word)
	if end-at < 17 || end+17 > len(s) || s[end] != '.' {
		return 0
	}
	next := run(s, end+1, word)
	if next-end < 11 && !(next < len(s) && s[next] == '.') {
		return 0
	}
	end = run(s, next, jwtc)
	for s[end-1] == '.' {
		end--
	}
	return end
}

// mailchimp reports the key whose -us12 begins at s[at]: 32 hex digits stand before.
func mailchimp(s string, at int) (from, end int) {
	if at < 32 || !strings.HasPrefix(s[at:], "-us") || run(s[:at], at-32, hexa) < at || at > 32 && glued(s, at-32) || kindsOf(s[at-32:at]) < 5 {
		return 0, 0
	}
	if end = run(s[:min(len(s), at+6)], at+3, digit); end == at+3 || end < len(s) && in(s[end], alnum) {
		return 0, 0
	}
	return at - 32, end
}

func kindsOf(s string) int {
	_, distinct := kinds(s)
	return distinct
}

// discord reports the token whose first dot is s[at].
func discord(s string, at int) (from, end int) {
	for from = at; from > 0 && at-from < 30 && in(s[from-1], word); from-- {
	}
	if n := at - from; n < 23 || n > 28 || !strings.ContainsRune("MNO", rune(s[from])) {
		return 0, 0
	}
	dot := run(s[:min(len(s), at+9)], at+1, word)
	if n := dot - at - 1; n < 6 || n > 7 || dot >= len(s) || s[dot] != '.' {
		return 0, 0
	}
	if end = run(s[:min(len(s), dot+45)], dot+1, word); end-dot < 28 {
		return 0, 0
	}
	return from, end
}

// findSchemes reports what follows Basic and Bearer.
func findSchemes(s string, found *spans) {
	for at := 0; at+7 < len(s); at++ {
		if c := s[at] | 0x20; c != 'b' || glued(s, at) {
			continue
		}
		switch {
		case s[at+6] == ' ' && strings.EqualFold(s[at:at+6], "bearer"):
			end := trimmed(s, at+7, run(s, at+7, jwtc|b64|other))
			if end-at >= 7+16 && mixed(s[at+7:end]) {
				found.add("bearer-token", at+7, end)
				at = end - 1
			}
		case s[at+5] == ' ' && strings.EqualFold(s[at:at+5], "basic"):
			end := run(s, at+6, base|dash)
			if isBasic(s[at+6 : min(end, at+6+4096)]) {
				found.add("basic-auth", at+6, end)
				at = end - 1
			}
		}
	}
}

// isBasic reports whether v is base64 of user:password.
func isBasic(v string) bool {
	v = strings.TrimRight(v, "=")
	if len(v) < 4 {
		return false
	}
	v = v[:len(v)-max(0, len(v)%4-3)]
	enc := base64.RawStdEncoding
	if strings.ContainsAny(v, "-_") {
		enc = base64.RawURLEncoding
	}
	plain, err := enc.DecodeString(v)
	if err != nil {
		return false
	}
	for _, c := range plain {
		if c < ' ' {
			return false
		}
	}
	return strings.IndexByte(string(plain), ':') >= 0
}

// trimmed moves end back over punctuation that closes a sentence.
func trimmed(s string, from, end int) int {
	for end > from && strings.IndexByte(".,;:!?", s[end-1]) >= 0 {
		end--
	}
	return end
}
