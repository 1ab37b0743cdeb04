package loose

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// plainMax is the largest object, in bytes with its header, that is written as it
// is. Its file takes one block of a file system whether it is deflated or not, and
// git deflates it when it packs. What deflates takes 800 KB of memory, and each of
// the three objects of a save had one, which was enough for a garbage collection:
// without, a save takes 8.5 ms and not 10.7, and 10.4 ms of processor time and not
// 13.5 (medians of pairs in turn).
const plainMax = 4<<10 - len("\x78\x01\x01llnn") - adler32.Size

// encode is the file of an object: a zlib stream of its header and content.
func encode(o Object) []byte {
	head := o.Type + " " + strconv.Itoa(len(o.Data)) + "\x00"
	if n := len(head) + len(o.Data); n <= plainMax {
		return plain(make([]byte, 0, n+4<<10-plainMax), head, o.Data)
	}
	z := writers.Get().(*zlib.Writer)
	defer writers.Put(z)
	var b bytes.Buffer
	z.Reset(&b)
	_, _ = io.WriteString(z, head)
	_, _ = z.Write(o.Data)
	_ = z.Close()
	return b.Bytes()
}

// plain is a zlib stream of one block that is stored: RFC 1950, and 3.2.4 of RFC 1951.
func plain(b []byte, head string, data []byte) []byte {
	n := uint16(len(head) + len(data))
	b = append(b, 0x78, 0x01, 1)
	b = binary.LittleEndian.AppendUint16(b, n)
	b = binary.LittleEndian.AppendUint16(b, ^n)
	from := len(b)
	b = append(append(b, head...), data...)
	return binary.BigEndian.AppendUint32(b, adler32.Checksum(b[from:]))
}

var writers = sync.Pool{New: func() any {
	z, _ := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)
	return z
}}

// Holds reports whether o lies here as a loose object with this very content.
func (s *Store) Holds(o Object) bool {
	got, ok := s.Read(o.ID)
	return ok && got.Type == o.Type && bytes.Equal(got.Data, o.Data)
}

// maxRead bounds an object that Read takes, in bytes; git reads larger ones.
const maxRead = 16 << 20

// Read returns the loose object with this id, if it is there and whole.
func (s *Store) Read(id string) (o Object, ok bool) {
	o, trails, ok := s.Salvage(id)
	return o, ok && !trails
}

// Salvage is Read of an object that may have bytes behind its end, and reports whether it
// does. Some of git's commands refuse such a one.
func (s *Store) Salvage(id string) (o Object, trails, ok bool) {
	if len(id) < 3 {
		return o, false, false
	}
	f, err := fsx.Open(s.path(id))
	if err != nil {
		return o, false, false
	}
	defer f.Close()
	r := readers.Get().(*reader)
	defer readers.Put(r)
	typ, data, err := r.read(f)
	if err != nil {
		return o, false, false
	}
	_, err = r.from.ReadByte()
	o = s.New(typ, data)
	return o, err != io.EOF, o.ID == id
}

// A reader inflates one object after the other in the memory of the first.
type reader struct {
	from *bufio.Reader
	z    io.ReadCloser
}

var readers = sync.Pool{New: func() any { return &reader{from: bufio.NewReader(nil)} }}

// headMax bounds the header of an object that Read takes, in bytes.
const headMax = 32

// read returns the type and the content of the object in f. It reads on to the end
// of the stream, where its checksum is.
func (r *reader) read(f io.Reader) (typ string, data []byte, err error) {
	if err = r.reset(f); err != nil {
		return "", nil, err
	}
	var head [headMax]byte
	n, err := io.ReadFull(r.z, head[:])
	if err != nil && err != io.ErrUnexpectedEOF {
		return "", nil, err
	}
	before, after, found := bytes.Cut(head[:n], []byte{0})
	typ, digits, _ := strings.Cut(string(before), " ")
	size, err := strconv.Atoi(digits)
	if err != nil || !found || size < 0 || size >= maxRead {
		return "", nil, fmt.Errorf("unknown object header: %q", before)
	}
	return r.rest(typ, append(make([]byte, 0, max(size, len(after))+1), after...), size)
}

func (r *reader) rest(typ string, data []byte, size int) (string, []byte, error) {
	for err := error(nil); err != io.EOF; {
		if len(data) > size {
			return "", nil, fmt.Errorf("an object is longer than its %d bytes", size)
		}
		var n int
		n, err = r.z.Read(data[len(data):cap(data)])
		if data = data[:len(data)+n]; err != nil && err != io.EOF {
			return "", nil, err
		}
	}
	if len(data) != size {
		return "", nil, fmt.Errorf("an object of %d bytes has %d", size, len(data))
	}
	return typ, data, nil
}

func (r *reader) reset(f io.Reader) (err error) {
	r.from.Reset(f)
	if r.z == nil {
		r.z, err = zlib.NewReader(r.from)
		return err
	}
	return r.z.(zlib.Resetter).Reset(r.from, nil)
}

// Inflated is what the file of an object holds, its header included, and at most most bytes
// of it; "" of any other file.
func Inflated(file []byte, most int64) string {
	z, err := zlib.NewReader(bytes.NewReader(file))
	if err != nil {
		return ""
	}
	b, _ := io.ReadAll(io.LimitReader(z, most))
	return string(b)
}
