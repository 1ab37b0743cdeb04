package exit

import (
	"errors"
	"io/fs"
	"os"
)

// What cannot be written to standard output ends a command with status 128 and one
// line, whatever it has done: as git's, and whoever reads the output must not take
// half of it for all. Where something was changed a hint says so, since whoever reads
// the status alone would do it again. A reader who has gone ends it without a word,
// by the signal that git ends by. Where standard output was closed from the start the
// system's empty device takes its place, as in git, and nothing fails.

// isUnwritten reports whether err is that of writing standard output.
func isUnwritten(err error) bool {
	var e *fs.PathError
	return errors.As(err, &e) && e.Op == "write" && e.Path == os.Stdout.Name()
}

// unwritten says why.
func unwritten(err error) string {
	var e *fs.PathError
	errors.As(err, &e)
	return "cannot write the output: " + e.Err.Error()
}
