package redact

import "strings"

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	// No private key is longer: RSA of 16,384 bits has 13 kB.
	pemWindow = 64 << 10
)

// findPEM reports private keys: with or without END, over lines that a diff or a
// quotation has prefixed, or on one line with \n escapes.
func findPEM(s string, found *spans) {
	for at := 0; ; {
		i := strings.Index(s[at:], pemBegin)
		if i < 0 {
			return
		}
		from := at + i
		at = from + len(pemBegin)
		label := pemLabel(s, at)
		if label == 0 {
			continue
		}
		window := s[label:min(len(s), label+pemWindow)]
		if next := strings.Index(window, pemBegin); next >= 0 {
			window = window[:next]
		}
		end := pemClosed(window)
		if end == 0 {
			end = pemBody(window)
		}
		if end > 0 {
			found.add("private-key", from, label+end)
			at = label + end
		}
	}
}

// pemLabel returns the end of "RSA PRIVATE KEY-----" at s[at], or 0.
func pemLabel(s string, at int) int {
	line := s[at:min(len(s), at+60)]
	i := strings.Index(line, "-----")
	if i < 0 || !strings.Contains(line[:i], "PRIVATE KEY") {
		return 0
	}
	return at + i + len("-----")
}

// pemClosed returns the end of the END line, or 0 when there is none or what
// lies before it is no key but a sentence about the two lines.
func pemClosed(window string) int {
	i := strings.Index(window, pemEnd)
	if i < 0 {
		return 0
	}
	end := pemLabel(window, i+len(pemEnd))
	if end == 0 || !hasKeyData(window[:i]) {
		return 0
	}
	return end
}

// hasKeyData reports whether base64 of a key's length is in s.
func hasKeyData(s string) bool {
	for at := 0; at < len(s); at++ {
		end := run(s, at, base)
		if end-at >= 16 {
			return true
		}
		at = end
	}
	return false
}

// pemBody returns the end of the lines of base64 that s begins with, or 0.
func pemBody(s string) int {
	end, full := 0, false
	for at := 0; at < len(s); {
		line, next := pemLine(s, at)
		data := strings.Trim(line, " \t\r\"'`+>|*#/,\\;")
		switch {
		case data == "" || isPEMHeader(data):
		case !isBase64Line(data) || !full && len(data) < 16:
			return end
		default:
			full = len(data) >= 40
			end = at + len(strings.TrimRight(line, " \t\r\"'`,;"))
			if !full {
				return end
			}
		}
		at = next
	}
	return end
}

// pemLine returns the line at s[at] and where the next one begins. An escaped
// line feed, however often escaped, ends a line too.
func pemLine(s string, at int) (line string, next int) {
	for i := at; i < len(s); i++ {
		if s[i] == '\n' {
			return s[at:i], i + 1
		}
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 'r') {
			return s[at:i], i + 2
		}
	}
	return s[at:], len(s)
}

func isPEMHeader(line string) bool {
	for _, h := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:"} {
		if strings.HasPrefix(line, h) {
			return true
		}
	}
	return false
}

func isBase64Line(line string) bool {
	for i := range len(line) {
		if !in(line[i], base) && line[i] != ' ' {
			return false
		}
	}
	first, _, _ := strings.Cut(line, " ")
	return first == line || len(first) >= 40
}
