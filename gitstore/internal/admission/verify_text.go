package admission

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/template"
	"go.yaml.in/yaml/v3"
)

// A sortOfFile is what a file of memory is, by the place where it lies.
type sortOfFile struct {
	called string
	reads  func(b []byte) bool
}

// sorts are those of FORMAT.md, by the name of the file or its folder.
var sorts = map[string]sortOfFile{
	"checkpoint.md":       {"a checkpoint", func(b []byte) bool { return hasHead(b, "type: checkpoint") }},
	"tombstone.yaml":      {"a tombstone", func(b []byte) bool { return isMade(tombstoneLines(), b) }},
	contents.ItemsDir:     {"an item", isReadableItem},
	contents.TemplatesDir: {"a template", isReadableTemplate},
	contents.LinesDir:     {"the note of a line", isReadableNote},
	rewritten.PurgedDir:   {"the record of a purge", func(b []byte) bool { return isMade(recordLines(), b) }},
	contents.CoreListFile: {"a list of core files", isReadableCore},
	record.TreeFormatFile: {"the format", func(b []byte) bool { return isMade(formatLine(), b) }},
}

// What tells a file from any other: all of its lines, or one that it cannot lack.
var (
	tombstoneLines = made(`\A(?:format: \d+|(?:removes|restores):|[ ]*- "?[0-9a-f]{40,64}"?|\s)+\z`)
	nothing        = made(`\A\z`) // isMade takes what holds nothing
	recordLines    = made(`\A(?:(?:[0-9a-f]{40}|[0-9a-f]{64})(?: -)?(?: (?:[0-9a-f]{40}|[0-9a-f]{64}))*(?:\n|\z)|# [0-9a-f]{40,64}\n)+\z`)
	formatLine     = made(`(?m)^min_(?:reader|writer):`)
)

// An OddError says that a file does not read as what should lie at its path.
type OddError struct{ id, Path string }

func (e *OddError) Error() string {
	name, called := record.Short(e.id), "memory"
	if s, ok := sortOf(e.Path); ok {
		name, called = "'"+legible.OneLine(e.Path)+"'", s.called
	}
	return fmt.Sprintf("%s, which does not look like %s: it may be a file of yours that the remote names without having it", name, called)
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
// nobody can read would end what was known, without a word. Others' front matter has an id,
// too, and then keys that no item has; one with such keys says what type it is of.
func isReadableItem(b []byte) bool {
	it, err := codec.ParseItem(b)
	return err == nil && hasHead(b, "id: ") && (len(it.Extra) == 0 || hasHead(b, "type: "))
}

// isReadableNote reports whether a file is the note of a line: what others may have added
// to it stands behind what is known.
func isReadableNote(b []byte) bool {
	if contents.LineBound.File < len(b) {
		return false
	}
	_, err := contents.ParseNote(b)
	keys := topKeys(b)
	return err == nil && (isMade(nothing(), b) || len(keys) > 0 && slices.Contains([]string{"branches", "gone", "began", "closed", "closed_at", "renamed_to"}, keys[0].Value))
}

// isReadableTemplate reports whether a file can be read as a template, also one whose format
// another version renders. Many files have a name, and keys that no template has; one with
// such keys has fields or a format.
func isReadableTemplate(b []byte) bool {
	_, err := template.Parse(b)
	return template.IsReadable(err) && (!slices.ContainsFunc(topKeys(b), func(k *yaml.Node) bool {
		return !slices.Contains([]string{"name", "description"}, k.Value)
	}) || slices.ContainsFunc(topKeys(b), func(k *yaml.Node) bool {
		return slices.Contains([]string{"required_fields", "optional_fields", "fields", "format"}, k.Value)
	}))
}

// isReadableCore reports whether a file is a list of core files: of each path a summary, or
// what is known of it, and of one at least the latter.
func isReadableCore(b []byte) bool {
	var doc yaml.Node
	if isMade(nothing(), b) {
		return true
	}
	if contents.CoreBound.File < len(b) {
		return false
	}
	if err := yaml.Unmarshal(b, &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return false
	}
	told := false
	for i, n := range doc.Content[0].Content {
		if i%2 == 0 {
			continue
		}
		knows := slices.ContainsFunc([]string{"summary", "added", "variants"}, func(key string) bool { return knowledge.YamlKey(n, key) >= 0 })
		if told = told || knows; !knows && n.Tag != "!!str" {
			return false
		}
	}
	return told
}

// topKeys are the keys of a mapping of YAML, in their order.
func topKeys(b []byte) (keys []*yaml.Node) {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(doc.Content[0].Content); i += 2 {
		keys = append(keys, doc.Content[0].Content[i])
	}
	return keys
}

// sortOf is the sort of the file at a path in a commit.
func sortOf(path string) (sortOfFile, bool) {
	dir, _, below := strings.Cut(path, "/")
	switch {
	case below && (dir == contents.SystemDir || dir == contents.SkillsDir):
		dir = contents.ItemsDir
	case !below && strings.HasPrefix(path, "format"):
		dir = record.TreeFormatFile
	case !below && strings.HasPrefix(path, "core"):
		dir = contents.CoreListFile
	}
	s, ok := sorts[dir]
	return s, ok
}

// ReadsAs reports whether a file reads as one at a path, or where that is "" as any.
// Whoever sends history can name any file of the user's in it; none but memory has this
// form. Where a purge took that out it is memory all the same.
func ReadsAs(path string, b []byte) bool {
	if bytes.Contains(b, []byte(record.PurgedText)) {
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
