// Package wording is how numbers, times, errors and words of a command are written for people.
package wording

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
)

// PlainError is err without the operation and the path that fs.PathError adds.
func PlainError(err error) string {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// Bytes is a size in words.
func Bytes(n uint64) string {
	for _, unit := range []string{"bytes", "KB", "MB", "GB"} {
		if n < 10000 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n /= 1000
	}
	return fmt.Sprintf("%d TB", n)
}

// Quoted lists names in quotes, without what a terminal would take for anything else.
func Quoted(names []string) string {
	return strings.Join(lists.Map(names, func(name string) string { return "'" + legible.OneLine(name) + "'" }), ", ")
}

// QuotedShell is a word as a shell takes it, in quotes.
func QuotedShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// InShell is a word as a shell takes it, in quotes only where it needs them.
func InShell(s string) string {
	if s == "" || strings.HasPrefix(s, "-") || strings.Trim(s, plainInShell) != "" {
		return QuotedShell(s)
	}
	return s
}

// plainInShell are characters that no shell takes for anything else.
const plainInShell = "-./_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
