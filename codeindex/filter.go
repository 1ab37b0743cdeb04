package codeindex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-sage/git-sage/codeindex/parse"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// Check refuses languages and kinds that do not exist, and writes those that do as the index
// has them: a language may also be named by the ending of its files, and in capitals.
func (q *Query) Check() (err error) {
	for i := range q.Languages {
		if q.Languages[i], err = known("language", parse.Named(q.Languages[i]), parse.Languages(), "'git sage index status' lists those of this repository"); err != nil {
			return err
		}
	}
	for i := range q.Kinds {
		if q.Kinds[i], err = known("kind", q.Kinds[i], kinds(), "want one of "+strings.Join(kinds(), ", ")); err != nil {
			return err
		}
	}
	if !doublestar.ValidatePattern(q.Path) {
		return fmt.Errorf("path '%s' is no pattern: close its brackets", legible.OneLine(q.Path))
	}
	if ways(q.Path) > mostWays {
		return fmt.Errorf("path '%s' has too many braces: it stands for more than %d patterns", legible.OneLine(q.Path), mostWays)
	}
	return nil
}

// mostWays is how many patterns one with braces may stand for. A file is compared with all:
// {a,aa} thirty times over took longer than anybody waits.
const mostWays = 256

// ways is how many patterns one with braces stands for at most, where they are in each other
// more; above mostWays it counts no further.
func ways(pattern string) int {
	n := 1
	for part := range strings.SplitSeq(pattern, "{") {
		if n *= 1 + strings.Count(part, ","); n > mostWays {
			break
		}
	}
	return n
}

// kinds are those of chunks: of definitions, and of text without any.
func kinds() (out []string) {
	for _, k := range parse.Kinds() {
		out = append(out, string(k))
	}
	return append(out, "fallback")
}

// known is a word in lower case if it is in a list; help is for one that is near none of it.
func known(what, word string, list []string, help string) (string, error) {
	name := strings.ToLower(strings.TrimSpace(word))
	if slices.Contains(list, name) {
		return name, nil
	}
	if near := naming.Nearest(name, list); near != "" {
		return "", fmt.Errorf("no %s '%s', did you mean '%s'?", what, legible.OneLine(word), near)
	}
	return "", fmt.Errorf("no %s '%s': %s", what, legible.OneLine(word), help)
}
