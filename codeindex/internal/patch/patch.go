// Package patch reads which lines of which files a patch of git's changes.
package patch

import (
	"math"
	"strconv"
	"strings"
)

// Lines are those that changed in each file as it is now, from the first to the last. nil is
// all lines of all files.
type Lines map[string][][2]int

// All are the lines of a file that is new.
var All = [][2]int{{1, math.MaxInt}}

// Touch reports whether any of some lines of a file changed.
func (l Lines) Touch(path string, first, last int) bool {
	for _, s := range l[path] {
		if s[0] <= last && first <= s[1] {
			return true
		}
	}
	return l == nil
}

// A Reader reads a patch.
type Reader struct {
	Lines
	path string
	skip int // lines of the hunk that are left
}

// NewReader returns one that has read nothing yet.
func NewReader() *Reader { return &Reader{Lines: Lines{}} }

// Read reads a patch, or what stands of it between NUL bytes, which only lines of files have.
// It returns true.
func (r *Reader) Read(raw []byte) bool {
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, `\`): // no newline at the end of the file
		case r.skip > 0:
			r.skip--
		case strings.HasPrefix(line, "+++ "):
			name := strings.TrimSuffix(line[len("+++ "):], "\t") // git ends a name with blanks so
			if s, err := strconv.Unquote(name); err == nil {
				name = s
			}
			r.path = strings.TrimPrefix(name, "b/")
		case strings.HasPrefix(line, "@@ "):
			r.hunk(strings.Fields(line))
		}
	}
	return true
}

// hunk reads "@@ -<from>,<number> +<from>,<number> @@". Lines that were only taken out are a
// span that ends before it begins: it touches what stands on both sides of the place.
func (r *Reader) hunk(fields []string) {
	if len(fields) < 3 {
		return
	}
	_, old := span(fields[1])
	first, n := span(fields[2])
	r.skip = old + n
	if n == 0 {
		first++
	}
	r.Lines[r.path] = append(r.Lines[r.path], [2]int{first, first + n - 1})
}

// span reads "+<from>[,<number>]".
func span(s string) (from, n int) {
	a, b, ok := strings.Cut(s[1:], ",")
	from, _ = strconv.Atoi(a)
	if n = 1; ok {
		n, _ = strconv.Atoi(b)
	}
	return from, n
}
