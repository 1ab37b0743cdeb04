package mcp

import (
	"bufio"
	"errors"
	"io"
)

// maxLine is the longest message that is read. A checkpoint has at most 10 MiB,
// and JSON escapes make some of it longer.
const maxLine = 16 << 20

var errTooLong = errors.New("message is longer than 16 MiB")

// A lineReader cuts input into lines. One that is too long is skipped to its
// end, in bounded memory.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) *lineReader { return &lineReader{bufio.NewReaderSize(r, 64<<10)} }

// next returns the next line without its end, or errTooLong in its place. A
// last line without an end counts as a line.
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
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
func (l *lineReader) skip(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.r.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return errTooLong
}
