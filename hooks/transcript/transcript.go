package transcript

import (
	"context"
	"io"
	"os"

	"github.com/git-sage/git-sage/hooks/transcript/internal/digest"
	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
	"github.com/git-sage/git-sage/hooks/transcript/internal/walk"
)

// The records of a file.
type (
	Record   = record.Record
	Block    = record.Block
	Reader   = record.Reader
	Position = record.Position
)

// What a session did.
type (
	Digest  = digest.Digest
	Options = digest.Options
	Cost    = digest.Cost
	Text    = digest.Text
	Failure = digest.Failure
	Call    = digest.Call
	File    = files.File
	Search  = walk.Search
)

// A Step is a simple command of a shell line.
type Step = walk.Step

// Open opens a transcript at a position that a Reader of it returned, or at the
// beginning for the zero value. If the file is another one by now, or lost its end, it
// begins anew, and Position says so until something is read: its Offset is 0.
func Open(file string, at Position) (*Reader, error) { return record.Open(file, at) }

// From is [Open] of a plain file that is open already; Close closes it.
func From(f *os.File, at Position) *Reader { return record.From(f, at) }

// Behind returns the position behind the last whole line among the first size bytes of
// a transcript, for who does not want what is before it. A line of more than 10 MB begins
// for it where it looked last.
func Behind(f io.ReaderAt, size int64) Position { return record.Behind(f, size) }

// LastAnswer returns what the agent said since the person last said something, as far
// as the end of the file holds it.
func LastAnswer(file string) (string, error) { return record.LastAnswer(file) }

// SummaryBody is what a summary says: the client's begins with what led its author there, and
// where it stands in the conversation it is followed by orders, which are not for later.
func SummaryBody(s string) string { return record.SummaryBody(s) }

// New returns the digest of a transcript of which nothing was read yet.
func New(o Options) *Digest { return digest.New(o) }

// Load returns the digest that was written as JSON. After an error the caller begins
// anew; it was written by another version, or cut off.
func Load(b []byte, o Options) (*Digest, error) { return digest.Load(b, o) }

// Said reads what a person and the agent said in a transcript, behind an offset that is the
// end of a line: more of it than a [Digest] keeps, which is read again for each event. Each
// text is without secrets, and one of more than 16 kB lacks its middle. After an error it
// returns what it read until then.
func Said(ctx context.Context, file string, from int64, o Options) ([]Text, error) {
	return digest.Said(ctx, file, from, o)
}

// Speaks reports whether a person or the agent says anything in a transcript behind an
// offset.
func Speaks(ctx context.Context, file string, from int64) (bool, error) {
	return digest.Speaks(ctx, file, from)
}

// Steps are the commands of a shell line that run a program of a plain name, at most so
// many. What only sifts the output of another one is left out.
func Steps(line string, most int) []Step { return walk.Steps(line, most) }

// Files are the files that a shell line reads, searches or changes from the folder dir, where it
// is plain which: their absolute paths, at most 16.
func Files(dir, line string) (out []string) {
	touches, _ := walk.Line(files.NewRoot(""), dir, shell.Commands(line))
	for _, t := range touches {
		out = append(out, t.File)
	}
	return out
}
