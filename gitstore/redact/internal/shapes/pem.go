package shapes

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
)

const (
	PemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	// No private key is longer: RSA of 16,384 bits has 13 kB.
	pemWindow = 64 << 10
)

// findPEM reports private keys: with or without END, over lines that a diff or a
// quotation has prefixed, or on one line with \n escapes.
func findPEM(s string, found *spans.Set) {
	for at := 0; ; {
		i := strings.Index(s[at:], PemBegin)
		if i < 0 {
			return
		}
		from := at + i
		at = from + len(PemBegin)
		label := pemLabel(s, at)
		if label == 0 {
			continue
		}
		window := s[label:min(len(s), label+pemWindow)]
		if next := strings.Index(window, PemBegin); next >= 0 {
			window = window[:next]
		}
		end := pemClosed(window)
		if end == 0 {
			end = pemBody(window)
		}
		if end > 0 {
			found.Add("private-key", from, label+end)
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
		end := chars.Run(s, at, chars.Base)
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
		from := at + len(line) - len(strings.TrimLeft(line, pemMargin))
		stop := pemData(s[:at+len(line)], from)
		rest := strings.Trim(s[stop:at+len(line)], pemMargin)
		switch n := stop - from; {
		case n == 0 && stop == at+len(line), isPEMHeader(s[from : at+len(line)]):
		case n == 0, !full && n < 16, n < 40 && rest != "" && strings.IndexByte("\"'`\\,", s[stop]) < 0:
			return end
		default:
			end, full = stop, n >= 40
			if !full || rest != "" {
				return end
			}
		}
		at = next
	}
	return end
}

// pemMargin is what a diff, a quotation, a comment or a program puts around lines.
const pemMargin = " \t\r\"'`+>|*#,;\\"

// pemData returns the end of the base64 at s[at], which may have blanks between
// full lines.
func pemData(s string, at int) int {
	end := chars.Run(s, at, chars.Base)
	for end-at >= 40 && end+1 < len(s) && s[end] == ' ' && chars.In(s[end+1], chars.Base) {
		next := chars.Run(s, end+1, chars.Base)
		if next-end <= 40 {
			return next
		}
		at, end = end+1, next
	}
	return end
}

// findPEMTail reports a key whose beginning was cut off: full lines of base64
// before an END line.
func findPEMTail(s string, found *spans.Set) {
	for at := 0; ; {
		i := strings.Index(s[at:], pemEnd)
		if i < 0 {
			return
		}
		end := pemLabel(s, at+i+len(pemEnd))
		if end > 0 {
			if from := pemHead(s, at, at+i); from < at+i {
				found.Add("private-key", from, end)
			}
		}
		at += i + len(pemEnd)
	}
}

// pemHead returns where the lines of base64 begin that end at s[end].
func pemHead(s string, stop, end int) int {
	from, lines := end, 0
	for at := end; at > stop; {
		at = strings.LastIndexByte(s[stop:at], '\n') + stop
		if at < stop {
			at = stop
		}
		prev := strings.LastIndexByte(s[stop:at], '\n') + stop + 1
		line := strings.Trim(s[prev:at], pemMargin)
		if chars.Run(line, 0, chars.Base) < len(line) || lines > 0 && len(line) < 40 || line == "" {
			break
		}
		lines++
		if len(line) >= 40 {
			from = prev + strings.Index(s[prev:at], line)
		}
		at = prev
	}
	return from
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
