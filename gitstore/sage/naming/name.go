package naming

import (
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/prose/spelling"
)

// MaxName is the longest name of a line, a tag or an item, in bytes.
const MaxName = 100

// NameProblem says what is wrong with the name of a line, a tag, an item or a
// skill: [a-z0-9][a-z0-9._-]{0,99}, no "..", no ".lock" or "." at the end, no
// device name of Windows. It returns "" for a good one. The grammar leaves no two
// names that differ only in case, and none that git or a file system refuses.
func NameProblem(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > MaxName:
		return fmt.Sprintf("it is longer than %d characters", MaxName)
	case !strings.Contains(lowerAlnum, name[:1]):
		return "it must begin with a-z or 0-9"
	case strings.ContainsFunc(name, notNameRune):
		return "only a-z, 0-9, '.', '_' and '-' are allowed in it"
	case strings.Contains(name, ".."):
		return "'..' is not allowed in it"
	case strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, "."):
		return "it must not end in '.lock' or '.'"
	case isDevice(name):
		return "it is a device name on Windows"
	}
	return ""
}

const lowerAlnum = "abcdefghijklmnopqrstuvwxyz0123456789"

func notNameRune(r rune) bool {
	return r > 0x7f || !strings.ContainsRune(lowerAlnum+"._-", r)
}

func isDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") && base[3] >= '1' && base[3] <= '9'
}

// SuggestName is a good name that is like another, "" if there is none: letters beyond ASCII
// are spelled out, umlauts as German does.
func SuggestName(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(spelling.Unaccented(spelling.Umlauts(name))) {
		if r > 0x7f || !strings.ContainsRune(lowerAlnum+"._", r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	s := b.String()
	s = strings.TrimLeft(s[:min(len(s), MaxName)], "._-")
	for strings.Contains(s, "..") {
		s = strings.ReplaceAll(s, "..", ".")
	}
	s = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(s, "._-"), ".lock"), "._-")
	if NameProblem(s) != "" {
		return ""
	}
	return s
}
