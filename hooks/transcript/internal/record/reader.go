package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Skipped counts the lines of a file that gave no record.
type Skipped struct {
	Long   int `json:"long,omitempty"`   // longer than 10 MB
	Broken int `json:"broken,omitempty"` // no JSON
	Other  int `json:"other,omitempty"`  // of a type that is of no use here
}

// A Reader gives the records of a transcript, from the first to the last. It keeps at
// most 10 MB of the file in memory.
type Reader struct {
	f       io.ReaderAt
	file    io.Closer
	at      int64  // where the next line begins
	buf     []byte // what was read of the file from there on
	from    int
	skipped Skipped
	most    int  // bytes of a line that is read
	hooked  bool // give what hooks put in front of the agent, too
}

// WithHooks lets Next also give what hooks put in front of the agent, as records of type
// context.
func (r *Reader) WithHooks() { r.hooked = true }

// Open opens a transcript at a position that a Reader of it returned, or at the
// beginning for the zero value. If the file is another one by now, or lost its end, it
// begins anew, and Position says so until something is read: its Offset is 0.
func Open(file string, at Position) (*Reader, error) {
	st, err := os.Stat(file)
	if err == nil && !st.Mode().IsRegular() { // a pipe would make us wait
		err = &fs.PathError{Op: "open", Path: file, Err: errors.New("not a file")}
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	return From(f, at), nil
}

// From is [Open] of a plain file that is open already; Close closes it.
func From(f *os.File, at Position) *Reader {
	r := NewReader(f)
	r.file = f
	if at.Holds(f) {
		r.at = at.Offset
	}
	return r
}

// NewReader reads a transcript that is no file, from its beginning. There is nothing to close.
func NewReader(f io.ReaderAt) *Reader { return &Reader{f: f, most: maxLine} }

// Limit passes over lines that are longer than so many bytes, as over those of more than
// 10 MB: for who needs little memory more than long lines. It comes before Next.
func (r *Reader) Limit(bytes int) { r.most = min(bytes, maxLine) }

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

// GoTo lets Next go on at an offset, which is the end of a line, or the beginning.
func (r *Reader) GoTo(offset int64) { r.at = max(0, offset) }

// Offset is where the next record begins, or what is passed over before it.
func (r *Reader) Offset() int64 { return r.at }

// Skipped says what was passed over so far.
func (r *Reader) Skipped() Skipped { return r.skipped }

// Next returns the next record, which is valid until the call after. At the end it
// returns io.EOF: a line that does not end yet is not read, and the next call goes on
// there if the file has grown.
func (r *Reader) Next() (*Record, error) {
	for {
		at := r.at
		line, err := r.line()
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		rec := Record{Offset: at, hooked: r.hooked}
		switch sound, known := rec.parse(line); {
		case !sound:
			r.skipped.Broken++
		case !known:
			r.skipped.Other++
		default:
			return &rec, nil
		}
	}
}

// line returns the next line that is not too long.
func (r *Reader) line() ([]byte, error) {
	for seen := 0; ; {
		rest := r.buf[r.from:]
		if i := bytes.IndexByte(rest[seen:], '\n'); i >= 0 {
			r.from += seen + i + 1
			r.at += int64(seen + i + 1)
			return rest[:seen+i], nil
		}
		seen = len(rest)
		var err error
		if seen > r.most {
			err, seen = r.pass(), 0
		} else {
			err = r.fill()
		}
		if err != nil {
			return nil, err
		}
	}
}

// fill reads on, in place of what was given out already.
func (r *Reader) fill() error {
	n := copy(r.buf, r.buf[r.from:])
	r.buf, r.from = r.buf[:n], 0
	if n == cap(r.buf) {
		grown := make([]byte, n, min(max(2*n, 64<<10), r.most+1))
		copy(grown, r.buf)
		r.buf = grown
	}
	m, err := r.f.ReadAt(r.buf[n:cap(r.buf)], r.at+int64(n))
	r.buf = r.buf[:n+m]
	return r.failed(m, err)
}

// pass moves to the end of a line that is too long.
func (r *Reader) pass() error {
	for at := r.at + int64(len(r.buf)-r.from); ; {
		m, err := r.f.ReadAt(r.buf[:cap(r.buf)], at)
		r.buf, r.from = r.buf[:m], m
		if i := bytes.IndexByte(r.buf, '\n'); i >= 0 {
			r.at, r.from = at+int64(i)+1, i+1
			r.skipped.Long++
			return nil
		}
		if err := r.failed(m, err); err != nil { // its end is not there yet
			r.buf, r.from = r.buf[:0], 0
			return err
		}
		at += int64(m)
	}
}

// failed is the error of a read that got m bytes, if it is one.
func (r *Reader) failed(m int, err error) error {
	if m > 0 || err == nil || err == io.EOF {
		if m == 0 {
			return io.EOF
		}
		return nil
	}
	return fmt.Errorf("read at byte %d: %w", r.at, err)
}

// Position returns how far the file was read: what Next gave out, whole lines.
func (r *Reader) Position() Position { return Position{r.at, sumTo(r.f, r.at)} }

// Plus adds what two readers passed over.
func (s Skipped) Plus(t Skipped) Skipped {
	return Skipped{s.Long + t.Long, s.Broken + t.Broken, s.Other + t.Other}
}
