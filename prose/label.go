package prose

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// A Role is what a heading or a label announces.
type Role string

const (
	Conclusion Role = "conclusion" // what was found out
	Decision   Role = "decision"
	Constraint Role = "constraint"
	Preference Role = "preference"
	Failure    Role = "failure" // what was tried in vain
	Open       Role = "open"    // questions that are open
	Next       Role = "next"    // steps that are to be done
	Reason     Role = "reason"  // for what stands above it
	Proposal   Role = "proposal"
)

// labels are headings and labels, in small letters, of all languages.
var labels = sync.OnceValue(func() map[string]Role {
	out := map[string]Role{}
	for r, list := range roleWords() {
		for w := range strings.SplitSeq(list, ",") {
			out[strings.Join(strings.Fields(w), " ")] = r
		}
	}
	return out
})

// RoleOf says what stands under a heading or behind a label; "" is nothing in particular.
func RoleOf(heading string) Role {
	if heading == "" || len(heading) > maxLabel {
		return ""
	}
	all := labels()
	s := plainLabel(heading)
	if r, ok := all[s]; ok {
		return r
	}
	head, _, _ := strings.Cut(s, " (") // "Root cause (2 of 3)"
	return all[head]
}

// maxLabel is how long what announces something is at most, in bytes.
const maxLabel = 80

// plainLabel is a heading or label in small letters, without marks in front and behind.
func plainLabel(s string) string {
	s = strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	letter := func(r rune) bool { return !unicode.IsLetter(r) }
	s = strings.TrimLeftFunc(s, letter)
	s = strings.TrimRight(s, "#*_:：.!。 \t\u00a0")
	return strings.ReplaceAll(strings.ReplaceAll(s, "**", ""), "__", "")
}

// labelled is a sentence that begins with a label, in bold or with no more than a colon.
var labelled = sync.OnceValue(func() *regexp.Regexp {
	const name = `[\pL\pM][\pL\pM\pN' ’/;&-]{1,38}`
	return regexp.MustCompile(`^(?:\*\*|__)(` + name + `?) ?[:：] ?(?:\*\*|__)\s*` + // **Decision:** x
		`|^(?:\*\*|__)(` + name + `)(?:\*\*|__)\s*[:：—–-]\s*` + // **Decision**: x
		`|^(` + name + `?) ?[:：]\s*`) // Decision: x
})

// cutLabel takes the label off a sentence. Without bold it is one only if it begins a
// paragraph or is known to announce something: "Note that Redis: ..." has none.
func cutLabel(s string, first bool) (label, said string) {
	if !strings.ContainsAny(s[:min(len(s), maxLabel)], ":：—–-") {
		return "", s
	}
	m := labelled().FindStringSubmatch(s)
	if m == nil || len(m[0]) == len(s) {
		return "", s
	}
	if bold := m[1] + m[2]; bold != "" {
		return bold, s[len(m[0]):]
	}
	known := RoleOf(m[3]) != ""
	if !known && (!first || strings.Count(m[3], " ") > 2 || strings.HasPrefix(s[len(m[0]):], "/")) {
		return "", s
	}
	return strings.TrimSpace(m[3]), s[len(m[0]):]
}
