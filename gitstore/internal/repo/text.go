package repo

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/record"
)

func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func CutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func United(a, b []string) []string {
	if len(b) == 0 || slices.Equal(a, b) {
		return a
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// PlainError is err without the operation and the path that fs.PathError adds.
func PlainError(err error) string {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// Lines calls fn with each line that write writes, which is fn's until it returns.
func Lines(write func(io.Writer) error, fn func([]byte)) error {
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := write(w)
		_ = w.CloseWithError(err)
		done <- err
	}()
	for sc := bufio.NewScanner(r); sc.Scan(); {
		fn(sc.Bytes())
	}
	return <-done
}

// InGit is the nearest time that git can write down.
func InGit(t time.Time) time.Time {
	return time.Unix(min(max(t.Unix(), 0), record.LastSecond), 0).UTC()
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
