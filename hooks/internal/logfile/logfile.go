// Package logfile appends lines to a log of its owner's alone, which never grows beyond
// two files of 256 kB.
package logfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/plainfile"
)

const (
	maxLog   = 256 << 10 // bytes, before the log is set aside; one old log is kept
	maxLines = 40        // of one entry: a panic's stack has that many that matter
	maxEntry = 8000      // bytes of one
)

// Append adds an entry: the time, who says it, and what, with control characters made
// visible. The folder of the file is made, not what that lies in. It reports whether it could.
func Append(file string, now time.Time, who, what string) bool {
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil && !errors.Is(err, fs.ErrExist) { // what that lies in may have been moved
		return false
	}
	st, err := os.Lstat(file)
	if err == nil && !st.Mode().IsRegular() { // a link may lead anywhere
		return false
	}
	if err == nil && st.Size() > maxLog && os.Rename(file, file+".1") != nil {
		return false
	}
	f, err := plainfile.Open(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = fmt.Fprintf(f, "%s %s: %s\n", now.UTC().Format(time.RFC3339), who, entry(what))
	return err == nil
}

func entry(what string) string {
	lines := strings.Split(strings.TrimSpace(what), "\n")
	lines = lines[:min(len(lines), maxLines)]
	for i, l := range lines {
		lines[i] = legible.Visible(l)
	}
	text := strings.Join(lines, "\n\t")
	if len(text) > maxEntry {
		text = strings.ToValidUTF8(text[:maxEntry], "") + "…"
	}
	return text
}

// Tail returns the last lines of a log, at most n; none if there is no log.
func Tail(file string, n int) []string {
	f, err := plainfile.Open(file, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil
	}
	from := max(0, st.Size()-int64(n*1000))
	b, _ := io.ReadAll(io.NewSectionReader(f, from, maxLog*2))
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	if from > 0 { // the first is the end of one
		lines = lines[1:]
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines[max(0, len(lines)-n):]
}
