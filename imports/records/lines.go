package records

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
)

// eachLine reads a file of JSON objects, one a line, and calls fn with each and its place. What
// is no object is told.
func eachLine[T any](l *imports.List, file, shown string, fn func(at string, v T)) error {
	f, err := plain.OpenFolder(filepath.Dir(file), "")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Stat(filepath.Base(file)); err != nil {
		return &os.PathError{Op: "open", Path: shown, Err: os.ErrNotExist}
	}
	text, problems := plain.Text(f.Root, filepath.Base(file), shown)
	l.Say(problems...)
	where := func(n int) string { return fmt.Sprintf("%s: line %d", shown, n) }
	plain.EachRecord(text, func(n int, v T) { fn(where(n), v) }, func(n int) {
		l.Say(imports.Problem{Where: where(n), Grade: imports.Skipped, What: "is no whole record"})
	})
	return nil
}

// bullets is a list as Markdown.
func bullets(list []string) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// unbulleted is what [bullets] made a list of; ok is false of any other text.
func unbulleted(text string) (list []string, ok bool) {
	for _, line := range strings.Split(text, "\n") {
		s, item := strings.CutPrefix(line, "- ")
		switch {
		case item:
			list = append(list, s)
		case len(list) > 0 && (line == "" || strings.HasPrefix(line, "  ")):
			list[len(list)-1] += "\n" + strings.TrimPrefix(line, "  ")
		default:
			return nil, false
		}
	}
	return list, len(list) > 1
}
