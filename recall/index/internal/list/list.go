package list

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// lockWait bounds the wait for another writer: one update takes milliseconds, a
// filling of 10,000 documents is made before the lock is taken.
const lockWait = 2 * time.Second

var ErrBusy = errors.New("another process writes to the index")

// A List names the segments of one sort, oldest first, and for documents the tips
// that they reflect.
type List struct {
	Raw   string // as it was read
	Tips  map[string]string
	Names []string
}

// A Catalog is where the list and the segments of one sort lie.
type Catalog struct {
	*disk.Folder
	Prefix string
	ID     [32]byte
}

func (c Catalog) File() string { return c.Prefix + ".list" }

// NewName is one that no other file has.
func (c Catalog) NewName() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return c.Prefix + "-" + hex.EncodeToString(b[:]) + ".seg"
}

// IsName reports whether a name is one of newName.
func (c Catalog) IsName(name string) bool {
	rest, ok := strings.CutPrefix(name, c.Prefix+"-")
	rest, ok2 := strings.CutSuffix(rest, ".seg")
	_, err := hex.DecodeString(rest)
	return ok && ok2 && err == nil && len(rest) == 16
}

// Raw reads the list's file; none is an empty one, and what cannot be read a damaged
// one.
func (c Catalog) Raw() (string, error) {
	b, err := c.Read(c.File())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.Is(err, disk.ErrForeign):
		return noList, nil
	}
	return string(b), err
}

// noList is what raw returns for what is no file.
const noList = "no list"

// Parse reads a list. One of another repository or model is as damaged as one that
// was cut off.
func (c Catalog) Parse(raw string) (List, error) {
	l := List{Raw: raw, Tips: map[string]string{}}
	if raw == "" {
		return l, nil
	}
	at := strings.LastIndex(raw, "\nsum ") + 1
	body := raw[:at]
	if raw[at:] != "sum "+SumLine(body) {
		return List{Raw: raw}, segment.Damaged("list of segments")
	}
	for i, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case i == 0 && line == c.First():
		case i > 0 && word == "tip" && l.addTip(rest):
		case i > 0 && word == "segment" && c.IsName(rest):
			l.Names = append(l.Names, rest)
		default:
			return List{Raw: raw}, segment.Damaged("list of segments, or that of another repository")
		}
	}
	return l, nil
}

func (c Catalog) First() string { return fmt.Sprintf("git-sage index of %x", c.ID) }

func (l *List) addTip(rest string) bool {
	name, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return false
	}
	value := strings.TrimPrefix(rest[len(name):], " ")
	name, err = strconv.Unquote(name)
	value, err2 := strconv.Unquote(value)
	l.Tips[name] = value
	return cmp.Or(err, err2) == nil
}

func SumLine(body string) string { return fmt.Sprintf("%08x\n", box.Sum([]byte(body))) }

// WriteList puts a list in the place of the one that is there.
func (c Catalog) WriteList(l List) error {
	b := c.First() + "\n"
	for _, name := range slices.Sorted(maps.Keys(l.Tips)) {
		b += fmt.Sprintf("tip %q %q\n", name, l.Tips[name])
	}
	for _, name := range l.Names {
		b += "segment " + name + "\n"
	}
	return c.Folder.Write(c.File(), func(w io.Writer) error {
		_, err := io.WriteString(w, b+"sum "+SumLine(b))
		return err
	})
}

// LockList makes this the only writer.
func (c Catalog) LockList(ctx context.Context) (*disk.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, err := c.Folder.Lock(ctx, c.Prefix+".lock")
	if l == nil && err == nil {
		err = ErrBusy
	}
	return l, err
}
