package naming

import "testing"

func TestPathProblem(t *testing.T) {
	for p, want := range map[string]string{
		"a.go": "", "internal/auth/a.go": "", "a b/c.go": "", ".github/x.yml": "", ".gitignore": "", "x~": "", "a/~b": "", "..a/b..": "", "日本/é.go": "", "ab:c": "", "gitx/a": "",
		"": "names no file", ".": "names no file", "./": "names no file", "/": "names no file",
		"/etc/passwd": "is absolute", `\\srv\share`: "is absolute", "//srv/share": "is absolute", `\x`: "is absolute",
		"C:/x": "names a drive", `c:\x`: "names a drive", "c:x": "names a drive",
		"~": "names a home folder", "~/x": "names a home folder", "~root/x": "names a home folder", `~\x`: "names a home folder",
		"..": leaves, "../x": leaves, `..\x`: leaves, "a/../../x": leaves, "a/..": leaves, `a\..\..\x`: leaves, ".. /x": leaves, "...": leaves,
		".git": gits, ".git/config": gits, "sub/.GIT/x": gits, ".git./x": gits, ".git /x": gits, ".git::$INDEX_ALLOCATION/x": gits, "git~1/x": gits, "GIT~12": gits,
		"file:///etc/passwd": "is an address", "https://x/y": "is an address",
		"a\x00b": unseen, "a\nb": unseen, "a\tb": unseen, "a\x1b[2J": unseen, "a\u202eb": unseen, ".g\u200cit/x": unseen, "a\xffb": unseen,
	} {
		if got := PathProblem(p); got != want {
			t.Errorf("%q: %q, want %q", p, got, want)
		}
	}
}

const (
	leaves = "leads out of the repository"
	gits   = "is git's own"
	unseen = "holds an invisible character"
)
