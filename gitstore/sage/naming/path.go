package naming

import (
	"strings"
	"unicode"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// PathProblem says in words why p is not the path of a file in a repository, relative to
// its root; "" if it is. It asks no file system. What came with a fetch, or from an older
// version, is not looked up if it has a problem: a path may lead to what its reader may
// read and its author may not.
func PathProblem(p string) string {
	s := strings.ReplaceAll(p, `\`, "/")
	first, _, _ := strings.Cut(s, "/")
	switch {
	case strings.Trim(s, "./") == "" && !strings.Contains(s, ".."):
		return "names no file"
	case legible.Visible(p) != p || strings.ContainsAny(p, "\n\t"):
		return "holds an invisible character"
	case strings.HasPrefix(s, "/"):
		return "is absolute"
	case len(s) > 1 && s[1] == ':' && unicode.IsLetter(rune(s[0])):
		return "names a drive"
	case strings.Contains(s, "://"):
		return "is an address"
	case strings.HasPrefix(first, "~"):
		return "names a home folder"
	}
	for part := range strings.SplitSeq(s, "/") {
		if part = strings.TrimRight(part, " "); part == ".." || strings.TrimRight(part, ".") == "" && len(part) > 2 {
			return "leads out of the repository"
		}
		if isGits(part) {
			return "is git's own"
		}
	}
	return ""
}

// isGits reports whether a file system may take a name for .git.
func isGits(name string) bool {
	name, _, _ = strings.Cut(name, ":") // a stream of NTFS
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // which HFS passes over
			return -1
		}
		return unicode.ToLower(r)
	}, strings.TrimRight(name, ". "))
	short, ok := strings.CutPrefix(name, "git~") // as DOS has it
	return name == ".git" || ok && strings.Trim(short, "0123456789") == ""
}
