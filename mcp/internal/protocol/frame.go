package protocol

import (
	"bufio"
	"errors"
	"io"
)

// MaxLine is the longest message that is read. A checkpoint has at most 10 MiB,
// and JSON escapes make some of it longer.
const MaxLine = 16 << 20

// ErrTooLong is what a message longer than a line may be is refused with.
var ErrTooLong = errors.New("message is longer than 16 MiB")

// A LineReader cuts input into lines. One that is too long is skipped to its
// end, in bounded memory.
type LineReader struct{ r *bufio.Reader }

// NewLineReader returns a reader of the lines of r.
func NewLineReader(r io.Reader) *LineReader { return &LineReader{bufio.NewReaderSize(r, 64<<10)} }

// Next returns the next line without its end, or ErrTooLong in its place. A
// last line without an end counts as a line.
func (l *LineReader) Next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, l.skip(err)
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return nil, err
	}
}

// skip reads to the end of a line. err is what the last read returned.
func (l *LineReader) skip(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.r.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return ErrTooLong
}
