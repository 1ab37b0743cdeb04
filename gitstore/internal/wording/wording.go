// Package wording is how numbers, times, errors and words of a command are written for people.
package wording

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// Count is a number of things: 1 file, 2 files.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// PlainError is err without the operation and the path that fs.PathError adds.
func PlainError(err error) string {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// Lasted is how long something took, in words and with the units and limits of git's
// relative dates: 40 seconds, 70 minutes, 2 hours, 3 days.
func Lasted(d time.Duration) string {
	seconds := int(d.Round(time.Second) / time.Second)
	minutes := (seconds + 30) / 60 // each is rounded from the one before
	hours := (minutes + 30) / 60
	switch {
	case seconds < 90:
		return Count(seconds, "second")
	case minutes < 90:
		return Count(minutes, "minute")
	case hours < 36:
		return Count(hours, "hour")
	}
	return Count((hours+12)/24, "day")
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
