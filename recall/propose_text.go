package recall

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A paragraph is a piece of prose: one of a text, or a point of a list, with what it
// is said to be by the heading or label that it stands under.
type paragraph struct {
	text string
	kind string // "" is nothing

	decided bool // it has the label itself: its first sentence is the decision
}

// paragraphs takes Markdown apart. Code, tables and quotations are nobody's claims.
func paragraphs(text string) (out []paragraph) {
	var now []string
	section, fence := "", ""
	end := func() {
		if s := strings.Join(now, " "); s != "" {
			kind, rest := labelled(recap().ReplaceAllString(s, ""))
			own := kind == conclusion
			if kind == "" {
				kind = section
			}
			out = append(out, paragraph{upper(rest), kind, own})
		}
		now = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(line, ""), "\x00", ""))
		switch mark := fenceMark(line); {
		case fence != "":
			if mark == fence {
				fence = ""
			}
		case mark != "":
			end()
			fence = mark
		case line == "", strings.HasPrefix(line, "|"), strings.HasPrefix(line, ">"), strings.HasPrefix(line, "<"):
			end()
		case isHeading(line):
			end()
			section = labels(plainLabel(line))
		default:
			if point := bullet().FindString(line); point != "" {
				end()
				line = strings.TrimSpace(line[len(point):])
			} else if startsAnew(line) {
				end()
			}
			now = append(now, line)
		}
	}
	end()
	return out
}

func fenceMark(line string) string {
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		return line[:3]
	}
	return ""
}

var bullet = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?`) })

// isHeading reports whether a line is one, or as good as one: "**Decision**", "Findings:".
func isHeading(line string) bool {
	bold := strings.HasPrefix(line, "**") && strings.HasSuffix(strings.TrimRight(line, ":"), "**") && strings.Count(line, "**") == 2
	return strings.HasPrefix(line, "#") || bold || strings.HasSuffix(line, ":") && labels(plainLabel(line)) != ""
}

// plainLabel is a heading or label in lower case, without marks.
func plainLabel(s string) string {
	s = strings.ToLower(strings.Trim(s, "#*_: \t"))
	s = strings.ReplaceAll(s, "’", "'")
	return strings.TrimSpace(strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// labels says what stands under a heading or behind a label.
func labels(s string) string {
	switch s {
	case "conclusion", "conclusions", "decision", "decisions", "decided", "finding", "findings", "key finding", "key findings", "takeaway", "takeaways",
		"key takeaway", "key takeaways", "root cause", "cause", "lesson", "lessons", "lesson learned", "lessons learned", "learned", "what we learned", "what i learned",
		"verdict", "insight", "insights", "key insight", "key insights", "resolution", "bottom line", "what i found", "what we found", "what we decided":
		return conclusion
	case "constraint", "constraints", "limitation", "limitations", "known limitations", "limit", "limits", "requirement", "requirements", "caveat", "caveats",
		"gotcha", "gotchas", "hard requirements", "non-negotiable", "non-negotiables", "invariant", "invariants":
		return constraint
	case "preference", "preferences", "user preference", "user preferences", "convention", "conventions", "house rules", "coding style", "style", "ground rules", "your preferences":
		return preference
	case "failure", "failures", "failed attempt", "failed attempts", "what failed", "what didn't work", "what did not work", "dead end", "dead ends", "tried and rejected",
		"rejected", "rejected approaches", "didn't work", "did not work", "things that did not work", "things that didn't work":
		return failure
	}
	return ""
}

// recap is how people begin to say again what was said.
var recap = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:please )?(?:note|keep in mind|remember|mind) that\s+|^(?:(?:just |so )?(?:to |a )?(?:quick )?(?:recap|summari[sz]e|sum up|summary|repeat|be clear)|tl;dr|note|important|nb|remember)\b[^:.]{0,40}:\s+`)
})

var label = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\*\*|__)?([\pL][\pL' ’-]{2,30}):(\*\*|__)?\s+|^\*\*([\pL][\pL' ’-]{2,30})\*\*\s*[:—–-]\s+`)
})

// startsAnew reports whether a line begins with a label of something else than a reason
// for what stands above it: "**Rejected:** DuckDB".
func startsAnew(line string) bool {
	m := label().FindStringSubmatch(line)
	return m != nil && strings.HasPrefix(line, "**") && labels(plainLabel(m[2]+m[4])) != ""
}

// labelled takes the label off a paragraph: "**Decision:** we use Redis".
func labelled(s string) (kind, rest string) {
	m := label().FindStringSubmatch(s)
	if m == nil {
		return "", s
	}
	if kind = labels(plainLabel(m[2] + m[4])); kind != "" {
		return kind, s[len(m[0]):]
	}
	return "", s
}

// sentences takes a paragraph apart. A full stop ends one if a blank follows and what
// comes then begins anew; not behind an abbreviation.
func sentences(s string) (out []string) {
	from := 0
	for i, r := range s {
		if r != '.' && r != '!' && r != '?' && r != '。' && r != '！' && r != '？' {
			continue
		}
		end := i + utf8.RuneLen(r)
		for end < len(s) && strings.IndexByte(`"'*_)]`+"`", s[end]) >= 0 {
			end++
		}
		if r < 0x80 && end < len(s) && (s[end] != ' ' || !beginsAnew(s[end+1:]) || abbreviated(s[from:i])) {
			continue
		}
		if t := strings.TrimSpace(s[from:end]); t != "" && end > from {
			out = append(out, t)
		}
		from = end
	}
	if t := strings.TrimSpace(s[min(from, len(s)):]); t != "" {
		out = append(out, t)
	}
	return out
}

func beginsAnew(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \"'*_([`"))
	return unicode.IsUpper(r) || unicode.IsDigit(r) || r > 0x2fff || strings.HasPrefix(strings.TrimLeft(s, " "), "`")
}

func abbreviated(s string) bool {
	word := strings.ToLower(s[strings.LastIndexAny(s, " (")+1:])
	switch word {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "resp", "no", "fig", "sec", "mr", "mrs", "ms", "dr", "st":
		return true
	}
	return len(word) == 1 && word != "i"
}
