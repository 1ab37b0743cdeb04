// Package shapes finds secrets by shapes of standards: PEM, JWT, URLs with a password.
package shapes

import (
	"encoding/base64"
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
)

// Find reports secrets whose shape a standard gives.
func Find(s string, found *spans.Set) {
	findPEM(s, found)
	findPEMTail(s, found)
	findURLs(s, found)
	findDSN(s, found)
	findDotted(s, found)
	findSchemes(s, found)
}

// findURLs reports passwords in scheme://user:password@host, and user names
// that are tokens. The work is bounded: no authority is longer than 1 kB.
func findURLs(s string, found *spans.Set) {
	for at := 0; ; {
		i := strings.Index(s[at:], "://")
		if i < 0 {
			return
		}
		at += i + 3
		if at-3 == 0 || !chars.In(s[at-4], chars.Alnum|chars.B64|chars.Dot|chars.Dash) {
			continue
		}
		if from, to := userinfo(s, at); to > from {
			found.Add("url-password", from, to)
		}
	}
}

// userinfo returns where the password lies in the authority that starts at s[at].
func userinfo(s string, at int) (from, to int) {
	colon, sign := authority(s, at, min(len(s), at+1024))
	switch {
	case sign < 0:
		return 0, 0
	case colon >= 0 && (values.Templated(s[colon+1:sign]) || exampleUser(s[at:colon], s[colon+1:sign])):
		return 0, 0
	case colon >= 0 && colon-at >= 20 && chars.Run(s, at, chars.Word) == colon && chars.Mixed(s[at:colon]): // token:x-oauth-basic
		return at, sign
	case colon >= 0:
		return colon + 1, sign
	}
	if user := s[at:sign]; len(user) >= 20 && chars.Mixed(user) && chars.Run(user, 0, chars.Word) == len(user) {
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
	return user == pass && chars.Run(pass, 0, chars.Lower) == len(pass)
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
			if sign >= 0 || colon < 0 || chars.Run(s, colon+1, chars.Digit) == i {
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
func findDSN(s string, found *spans.Set) {
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
			if v := s[from+colon+1 : end]; !values.Templated(v) && !strings.HasPrefix(v, "%") && !exampleUser(s[from:from+colon], v) {
				found.Add("url-password", from+colon+1, end)
			}
		}
		at = end + 5
	}
}

// findDotted reports what is held together by dots or a colon: JWT, bot tokens
// of Discord and Telegram, and client secrets of Azure.
func findDotted(s string, found *spans.Set) {
	for at := 0; at < len(s); at++ {
		switch s[at] {
		case 'e':
			if end := jwt(s, at); end > 0 {
				found.Add("jwt", at, end)
				at = end - 1
			}
		case ':':
			if strings.HasPrefix(s[at:], ":AA") && chars.Run(s, at+1, chars.Word)-at > 33 {
				from := at
				for from > 0 && at-from < 12 && chars.In(s[from-1], chars.Digit) {
					from--
				}
				if n := at - from; n >= 8 && n <= 11 {
					end := chars.Run(s, at+1, chars.Word)
					found.Add("telegram-token", from, end)
					at = end - 1
				}
			}
		case '-':
			if from, end := mailchimp(s, at); end > 0 {
				found.Add("mailchimp-key", from, end)
				at = end - 1
			}
		case '.':
			if strings.HasPrefix(s[at:], ".atlasv1.") {
				from, end := at, chars.Run(s, at+9, chars.Word)
				for from > 0 && at-from < 20 && chars.In(s[from-1], chars.Alnum) {
					from--
				}
				if at-from >= 10 && end-at > 50 {
					found.Add("terraform-token", from, end)
					at = end - 1
					continue
				}
			}
			if from, end := discord(s, at); end > 0 {
				found.Add("discord-token", from, end)
				at = end - 1
			}
		case '~':
			if at >= 5 && s[at-1] == 'Q' && chars.In(s[at-2], chars.Digit) && chars.Run(s[at-5:at-2], 0, chars.Jwtc) == 3 {
				if end := chars.Run(s[:min(len(s), at+40)], at+1, chars.Jwtc|chars.Other); end-at > 30 {
					found.Add("azure-client-secret", at-5, end)
					at = end - 1
				}
			}
		}
	}
}

// jwt returns the end of the JSON web token at s[at], or 0. A token cut off in
// its second part counts: the parts are not encrypted.
func jwt(s string, at int) int {
	if !strings.HasPrefix(s[at:], "eyJ") || chars.Glued(s, at) || at > 0 && s[at-1] == '-' {
		return 0
	}
	end := chars.Run(s, at, chars.Word)
	if end-at < 17 || end+17 > len(s) || s[end] != '.' {
		return 0
	}
	next := chars.Run(s, end+1, chars.Word)
	if next-end < 11 && !(next < len(s) && s[next] == '.') {
		return 0
	}
	end = chars.Run(s, next, chars.Jwtc)
	for s[end-1] == '.' {
		end--
	}
	return end
}

// mailchimp reports the key whose -us12 begins at s[at]: 32 hex digits stand before.
func mailchimp(s string, at int) (from, end int) {
	if at < 32 || !strings.HasPrefix(s[at:], "-us") || chars.Run(s[:at], at-32, chars.Hexa) < at || at > 32 && chars.Glued(s, at-32) || kindsOf(s[at-32:at]) < 5 {
		return 0, 0
	}
	if end = chars.Run(s[:min(len(s), at+6)], at+3, chars.Digit); end == at+3 || end < len(s) && chars.In(s[end], chars.Alnum) {
		return 0, 0
	}
	return at - 32, end
}

func kindsOf(s string) int {
	_, distinct := chars.Kinds(s)
	return distinct
}

// discord reports the token whose first dot is s[at].
func discord(s string, at int) (from, end int) {
	for from = at; from > 0 && at-from < 30 && chars.In(s[from-1], chars.Word); from-- {
	}
	if n := at - from; n < 23 || n > 28 || !strings.ContainsRune("MNO", rune(s[from])) {
		return 0, 0
	}
	dot := chars.Run(s[:min(len(s), at+9)], at+1, chars.Word)
	if n := dot - at - 1; n < 6 || n > 7 || dot >= len(s) || s[dot] != '.' {
		return 0, 0
	}
	if end = chars.Run(s[:min(len(s), dot+45)], dot+1, chars.Word); end-dot < 28 {
		return 0, 0
	}
	return from, end
}

// findSchemes reports what follows Basic and Bearer.
func findSchemes(s string, found *spans.Set) {
	for at := 0; at+7 < len(s); at++ {
		if c := s[at] | 0x20; c != 'b' || chars.Glued(s, at) {
			continue
		}
		switch {
		case s[at+6] == ' ' && strings.EqualFold(s[at:at+6], "bearer"):
			end := pieces.Trimmed(s, at+7, chars.Run(s, at+7, chars.Jwtc|chars.B64|chars.Other))
			if end-at >= 7+16 && chars.Mixed(s[at+7:end]) {
				found.Add("bearer-token", at+7, end)
				at = end - 1
			}
		case s[at+5] == ' ' && strings.EqualFold(s[at:at+5], "basic"):
			end := chars.Run(s, at+6, chars.Base|chars.Dash)
			if isBasic(s[at+6 : min(end, at+6+4096)]) {
				found.Add("basic-auth", at+6, end)
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
