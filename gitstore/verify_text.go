package gitstore

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/template"
)

// A sortOfFile is what a file of memory is, by the place where it lies.
type sortOfFile struct {
	called string
	reads  func(b []byte) bool
}

// sorts are those of FORMAT.md, by the name of the file or its folder.
var sorts = map[string]sortOfFile{
	"checkpoint.md":  {"a checkpoint", func(b []byte) bool { return hasHead(b, "type: checkpoint") }},
	"tombstone.yaml": {"a tombstone", func(b []byte) bool { return isMade(tombstoneLines(), b) }},
	itemsDir:         {"an item", isReadableItem},
	templatesDir:     {"a template", func(b []byte) bool { _, err := template.Parse(b); return err == nil }},
	linesDir:         {"the note of a line", func(b []byte) bool { return isMade(noteLine(), b) }},
	purgedDir:        {"the record of a purge", func(b []byte) bool { return isMade(recordLines(), b) }},
	coreFile:         {"a list of core files", func(b []byte) bool { return isMade(coreLine(), b) }},
	treeFormatFile:   {"the format", func(b []byte) bool { return isMade(formatLine(), b) }},
}

// What tells a file from any other: all of its lines, or one that it cannot lack.
var (
	tombstoneLines = made(`\A(?:format: \d+|(?:removes|restores):|[ ]*- "?[0-9a-f]{40,64}"?|\s)+\z`)
	recordLines    = made(`\A(?:(?:[0-9a-f]{40}|[0-9a-f]{64})(?: -)?(?: (?:[0-9a-f]{40}|[0-9a-f]{64}))*(?:\n|\z)|# [0-9a-f]{40,64}\n)+\z`)
	noteLine       = made(`(?m)^(?:branches|gone|began|closed|closed_at|renamed_to):`)
	coreLine       = made(`[ {](?:summary|added): `)
	formatLine     = made(`(?m)^min_(?:reader|writer):`)
)

// An oddError says that a file does not read as what should lie at its path.
type oddError struct{ id, path string }

func (e *oddError) Error() string {
	name, called := short(e.id), "memory"
	if s, ok := sortOf(e.path); ok {
		name, called = "'"+sage.OneLine(e.path)+"'", s.called
	}
	return fmt.Sprintf("%s, which does not read as %s: it may be a file of yours that the remote named without having it", name, called)
}

func made(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// isMade reports whether a file has what tells its sort, or holds nothing.
func isMade(form *regexp.Regexp, b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) == 0 || string(b) == "{}" || form.Match(b)
}

// hasHead reports whether a file begins with front matter in which a line begins so.
func hasHead(b []byte, line string) bool {
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	head, _, ok := bytes.Cut(b, []byte("\n---\n"))
	return ok && bytes.HasPrefix(head, []byte("---\n")) && bytes.Contains(head, []byte("\n"+line))
}

// isReadableItem reports whether a file is an item that agents can be given: one that
// nobody can read would end what was known, without a word.
func isReadableItem(b []byte) bool {
	_, err := sage.ParseItem(b)
	return err == nil && hasHead(b, "id: ")
}

// sortOf is the sort of the file at a path in a commit.
func sortOf(path string) (sortOfFile, bool) {
	dir, _, below := strings.Cut(path, "/")
	switch {
	case below && (dir == systemDir || dir == skillsDir):
		dir = itemsDir
	case !below && strings.HasPrefix(path, "format"):
		dir = treeFormatFile
	case !below && strings.HasPrefix(path, "core"):
		dir = coreFile
	}
	s, ok := sorts[dir]
	return s, ok
}

// readsAs reports whether a file reads as one at a path, or where that is "" as any.
// Whoever sends history can name any file of the user's in it; none but memory has this
// form. Where a purge took that out it is memory all the same.
func readsAs(path string, b []byte) bool {
	if bytes.Contains(b, []byte(purgedText)) {
		return true
	}
	if s, ok := sortOf(path); ok {
		return s.reads(b)
	}
	for _, s := range sorts {
		if s.reads(b) {
			return true
		}
	}
	return false
}
