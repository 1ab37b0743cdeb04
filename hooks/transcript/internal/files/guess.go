package files

import (
	"path"
	"strconv"
	"strings"
)

// LineCount is the number in a text such as 20, -20 or +20; 0 for anything else.
func LineCount(s string) int {
	n, err := strconv.Atoi(strings.TrimLeft(s, "+-"))
	if err != nil || n < 0 || n > 1<<30 {
		return 0
	}
	return n
}

// LooksLikeFile guesses that a path is of a file and not of a folder: it has an extension.
func LooksLikeFile(name string) bool {
	base := path.Base(name)
	return strings.Trim(base, ".") != "" && path.Ext(strings.TrimLeft(base, ".")) != ""
}
