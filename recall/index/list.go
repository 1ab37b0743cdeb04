package index

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

	"github.com/git-sage/git-sage/recall/index/internal/box"
	"github.com/git-sage/git-sage/recall/index/internal/disk"
)

// lockWait bounds the wait for another writer: one update takes milliseconds, a
// filling of 10,000 documents is made before the lock is taken.
const lockWait = 2 * time.Second

var errBusy = errors.New("another process writes to the index")

// A list names the segments of one sort, oldest first, and for documents the tips
// that they reflect.
type list struct {
	raw   string // as it was read
	tips  map[string]string
	names []string
}

// A catalog is where the list and the segments of one sort lie.
type catalog struct {
	*disk.Folder
	prefix string
	id     [32]byte
}

func (c catalog) file() string { return c.prefix + ".list" }

// newName is one that no other file has.
func (c catalog) newName() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return c.prefix + "-" + hex.EncodeToString(b[:]) + ".seg"
}

// isName reports whether a name is one of newName.
func (c catalog) isName(name string) bool {
	rest, ok := strings.CutPrefix(name, c.prefix+"-")
	rest, ok2 := strings.CutSuffix(rest, ".seg")
	_, err := hex.DecodeString(rest)
	return ok && ok2 && err == nil && len(rest) == 16
}

// raw reads the list's file; none is an empty one, and what cannot be read a damaged
// one.
func (c catalog) raw() (string, error) {
	b, err := c.Read(c.file())
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

// parse reads a list. One of another repository or model is as damaged as one that
// was cut off.
func (c catalog) parse(raw string) (list, error) {
	l := list{raw: raw, tips: map[string]string{}}
	if raw == "" {
		return l, nil
	}
	at := strings.LastIndex(raw, "\nsum ") + 1
	body := raw[:at]
	if raw[at:] != "sum "+sumLine(body) {
		return list{raw: raw}, errDamaged("list of segments")
	}
	for i, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case i == 0 && line == c.first():
		case i > 0 && word == "tip" && l.addTip(rest):
		case i > 0 && word == "segment" && c.isName(rest):
			l.names = append(l.names, rest)
		default:
			return list{raw: raw}, errDamaged("list of segments, or that of another repository")
		}
	}
	return l, nil
}

func (c catalog) first() string { return fmt.Sprintf("git-sage index of %x", c.id) }

func (l *list) addTip(rest string) bool {
	name, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return false
	}
	value := strings.TrimPrefix(rest[len(name):], " ")
	name, err = strconv.Unquote(name)
	value, err2 := strconv.Unquote(value)
	l.tips[name] = value
	return cmp.Or(err, err2) == nil
}

func sumLine(body string) string { return fmt.Sprintf("%08x\n", box.Sum([]byte(body))) }

// write puts a list in the place of the one that is there.
func (c catalog) write(l list) error {
	b := c.first() + "\n"
	for _, name := range slices.Sorted(maps.Keys(l.tips)) {
		b += fmt.Sprintf("tip %q %q\n", name, l.tips[name])
	}
	for _, name := range l.names {
		b += "segment " + name + "\n"
	}
	return c.Write(c.file(), func(w io.Writer) error {
		_, err := io.WriteString(w, b+"sum "+sumLine(b))
		return err
	})
}

// lock makes this the only writer.
func (c catalog) lock(ctx context.Context) (*disk.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, err := c.Lock(ctx, c.prefix+".lock")
	if l == nil && err == nil {
		err = errBusy
	}
	return l, err
}
