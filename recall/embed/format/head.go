package format

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Size is the length of the head.
const Size = 2048

// Magic is the first line of every file.
const Magic = "git-sage encoder weights 1"

// Head is what a file says of itself. The keys are the names of the fields.
type Head struct {
	Name      string // changes whenever vectors would
	License   string
	Source    string // where the weights came from
	SourceSum string // SHA-256 of that file
	Sum       string // SHA-256 of the body

	Layers, Hidden, Heads, Inner int
	Vocab, Positions             int
	Slots, TextBytes             int
	Unknown, Start, End          int // ids of [UNK], [CLS], [SEP]
	MaxTokens                    int
	NormEpsilon                  string // of LayerNorm
	Pooling                      string // mean or start
	QueryPrefix, DocumentPrefix  string
}

// ErrFormat is wrapped by the errors for what is no file of weights.
var ErrFormat = errors.New("not a file of encoder weights")

// Parse reads the head of file and checks that a body of its shape follows.
func Parse(file string) (Head, error) {
	var h Head
	if len(file) < Size || !strings.HasPrefix(file, Magic+"\n") {
		return h, ErrFormat
	}
	lines := strings.Split(strings.TrimRight(file[len(Magic)+1:Size], "\n"), "\n")
	v := reflect.ValueOf(&h).Elem()
	if len(lines) != v.NumField() {
		return h, fmt.Errorf("%w: the head has %d lines, not %d", ErrFormat, len(lines), v.NumField())
	}
	for i, line := range lines {
		if err := set(v.Field(i), v.Type().Field(i).Name, line); err != nil {
			return h, fmt.Errorf("%w: %v", ErrFormat, err)
		}
	}
	return h, h.check(len(file))
}

func set(field reflect.Value, name, line string) error {
	value, ok := strings.CutPrefix(line, name+": ")
	if !ok {
		return fmt.Errorf("%q where %s is wanted", line, name)
	}
	if field.Kind() == reflect.Int {
		n, err := strconv.Atoi(value)
		field.SetInt(int64(n))
		return err
	}
	if quoted(name) {
		var err error
		if value, err = strconv.Unquote(value); err != nil {
			return fmt.Errorf("%s: %v", name, err)
		}
	}
	field.SetString(value)
	return nil
}

// quoted says which values may begin or end in a space.
func quoted(name string) bool { return strings.HasSuffix(name, "Prefix") }

// check refuses shapes that the encoder's kernels do not take: they work on 64
// outputs, 32 floats and heads of 32 at a time.
func (h Head) check(length int) error {
	for _, n := range []int{h.Layers, h.Hidden, h.Heads, h.Inner, h.Vocab, h.Positions, h.Slots, h.TextBytes} {
		if n < 1 || n > 1<<24 {
			return fmt.Errorf("%w: a size of %d", ErrFormat, n)
		}
	}
	switch {
	case h.Hidden%64 != 0 || h.Inner%64 != 0 || h.Hidden > 4096 || h.Inner > 16384 || h.Layers > 256 || h.Positions > 1<<16:
		return fmt.Errorf("%w: %d layers of width %d, %d", ErrFormat, h.Layers, h.Hidden, h.Inner)
	case h.Hidden%h.Heads != 0 || h.Hidden/h.Heads%32 != 0:
		return fmt.Errorf("%w: %d heads in %d", ErrFormat, h.Heads, h.Hidden)
	case h.Slots&(h.Slots-1) != 0 || h.Slots <= h.Vocab || h.Vocab > 0xffff:
		return fmt.Errorf("%w: %d tokens in %d slots", ErrFormat, h.Vocab, h.Slots)
	case max(h.Unknown, h.Start, h.End) >= h.Vocab || min(h.Unknown, h.Start, h.End) < 0:
		return fmt.Errorf("%w: a special token outside the vocabulary", ErrFormat)
	case h.MaxTokens < 3 || h.MaxTokens > h.Positions:
		return fmt.Errorf("%w: %d tokens at most, %d positions", ErrFormat, h.MaxTokens, h.Positions)
	case h.Pooling != "mean" && h.Pooling != "start":
		return fmt.Errorf("%w: pooling %q", ErrFormat, h.Pooling)
	}
	if want := h.FileSize(); length != want {
		return fmt.Errorf("%w: %d bytes, not %d", ErrFormat, length, want)
	}
	return nil
}

// String is the head as it stands in the file, padded.
func (h Head) String() string {
	var b strings.Builder
	b.WriteString(Magic + "\n")
	v := reflect.ValueOf(h)
	for i := range v.NumField() {
		name, value := v.Type().Field(i).Name, fmt.Sprint(v.Field(i))
		if quoted(name) {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&b, "%s: %s\n", name, value)
	}
	return b.String() + strings.Repeat("\n", max(0, Size-b.Len()))
}

// SumOf is what Sum has to be for a body.
func SumOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
