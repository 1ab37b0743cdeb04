package fsx

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Append adds lines to the end of a file in one write, so that what several
// processes add stands one behind the other and never within each other, and
// returns how long the file is then. A missing file is made, for those whom its
// folder is for. Nothing is synced. Behind half a line, which a full disk or a power
// cut leaves, an end of line comes first; behind one that is being written, which may
// look like half of one, it makes an empty line.
//
// Where the file was replaced meanwhile, data is added to the one that has the name now. Who
// replaces it and who appends wait for one another, up to [linesWait], so that lines stand in the
// order in which they were acknowledged. Where files cannot be locked, or somebody is stopped,
// that is not sure: data is carried over then by who replaces the file, may stand there twice,
// and never not at all.
func Append(name string, data []byte) (size int64, err error) {
	for since := time.Now(); time.Since(since) < appendWait; {
		size, same, err := appendOnce(name, data)
		if err != nil || same {
			return size, err
		}
	}
	return 0, fmt.Errorf("append to %s: the file keeps being replaced", name)
}

// appendWait is how long who appends begins again where the file was replaced while they waited:
// of 800 lines beside two who replace it without a pause one met that eight times in a row.
const appendWait = 10 * time.Second

func appendOnce(name string, data []byte) (size int64, same bool, err error) {
	f, err := openOwn(name, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return 0, false, err
	}
	release, _ := holdLines(f, false)
	if _, same, err = f.has(name); same {
		if endsWithin(f) {
			data = append([]byte("\n"), data...)
		}
		_, err = f.Write(data)
		var serr error
		size, same, serr = f.has(name)
		err = cmp.Or(err, serr)
	}
	release()
	if err = cmp.Or(err, f.Close()); err != nil {
		return 0, false, err
	}
	return size, same, nil
}

// has returns how long an open file is, and whether it has a name: another file may get its inode
// behind its end.
func (f *File) has(name string) (size int64, same bool, err error) {
	mine, err := f.Stat()
	if err != nil {
		return 0, false, err
	}
	now, err := Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	return mine.Size(), err == nil && os.SameFile(mine, now), err
}

// linesWait is how long who appends and who replaces a file wait for one another.
const linesWait = time.Second

// holdLines keeps others from replacing an open file, and alone from appending to it as well,
// until it is released. Who is stopped, and holds it, keeps others for [linesWait].
func holdLines(f *File, alone bool) (release func(), held bool) {
	again := fault(OpLock, f.Name()) == nil
	for since := time.Now(); again && time.Since(since) < linesWait; time.Sleep(time.Millisecond) {
		if held, again = lockLines(f.f, alone); held {
			return func() { unlock(f.f) }, true
		}
	}
	return func() {}, false
}

// endsWithin reports whether a file ends with half a line.
func endsWithin(f *File) bool {
	var last [1]byte
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false
	}
	n, _ := f.ReadAt(last[:], st.Size()-1)
	return n == 1 && last[0] != '\n'
}

// openOwn opens a file that only we write, and makes it if it is missing, with the
// folders above it, for those whom its folder is for, whatever the umask.
func openOwn(name string, flags int) (*File, error) {
	flags |= nonblock | noFollow
	for try := 0; ; try++ {
		f, err := OpenFile(name, flags, 0)
		if !errors.Is(err, fs.ErrNotExist) || try == 8 {
			return f, err
		}
		if f, err = OpenFile(name, flags|os.O_CREATE|os.O_EXCL, 0o666); err == nil {
			_ = f.Chmod(as(filepath.Dir(name), 0o644))
			return f, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = Mkdir(filepath.Dir(name))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
}

// OldName is the second name of a file while it is replaced. One that stays belongs to a
// writer that was killed.
func OldName(name string) string { return name + ".old" }

// Rewrite has change say what becomes of a file that others append to, and replaces it
// durably. What they append meanwhile stays, behind it and unchanged, also if we are killed:
// the next who rewrites the file carries it over. A missing file stays missing.
//
// Processes that rewrite a file take turns, or one would bring back what another took out;
// who waited for long without a turn gets an error. Who appends never waits.
func Rewrite(name string, wait time.Duration, change func(b []byte) []byte) error {
	if !There(name) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	lock, waited, err := TryLock(ctx, name+".lock")
	if err != nil {
		return err
	}
	if waited && lock == nil {
		return fmt.Errorf("rewrite %s: another process is rewriting it", name)
	}
	defer lock.Unlock()
	if err := recoverRest(name, lock); err != nil {
		return err
	}
	b, err := ReadLines(name)
	if err != nil {
		return err
	}
	now := change(b)
	if bytes.Equal(now, b) {
		return nil
	}
	return supersede(name, now, int64(len(b)), WriteFile, lock.leave)
}

// recoverRest carries over what a writer that was killed in [Rewrite] had not yet, behind
// as many bytes as it left a note of with its lock.
func recoverRest(name string, lock *Lock) error {
	old, err := Lstat(OldName(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	now, err2 := Lstat(name)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	if read, ok := lock.left(); ok && !os.SameFile(old, now) {
		return carryOver(name, read)
	}
	return Remove(OldName(name))
}

// Supersede gives a file that others append to the content data, which was made of its first
// read bytes, as [ReadLines] has them, by write. One process at a time does so.
//
// The steps, each of which may be the last: the file gets a second name; who appends waits; the new
// one, with what the old one got since it was read, takes its name; what the old one got behind
// that, where nobody waits, is appended to the new one; the second name is removed. Who appended to
// the old one before the new one took its name stands in that, who comes later finds it out and
// appends to that.
func Supersede(name string, data []byte, read int64, write func(name string, data []byte, perm fs.FileMode) error) error {
	return supersede(name, data, read, write, func(int64) error { return nil })
}

// supersede notes how much of the old file the new one stands for, before it takes the name.
func supersede(name string, data []byte, read int64, write func(name string, data []byte, perm fs.FileMode) error, note func(read int64) error) error {
	if err := Remove(OldName(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := Link(name, OldName(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	read, err := swap(name, data, read, write, note)
	if err != nil {
		return err
	}
	return carryOver(name, read)
}

// swap gives a file new content while nobody appends to it, and returns how much of the old one
// that stands for.
func swap(name string, data []byte, read int64, write func(name string, data []byte, perm fs.FileMode) error, note func(read int64) error) (int64, error) {
	if f, err := OpenFile(name, os.O_RDWR|nonblock|noFollow, 0); err == nil {
		release, held := holdLines(f, true)
		if done := func() { release(); _ = f.Close() }; held {
			defer done()
		} else {
			done() // on Windows it could not be replaced
		}
	}
	b, err := ReadOwn(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if end := int64(bytes.LastIndexByte(b, '\n') + 1); end > read { // the rest of a line may be on its way
		data, read = slices.Concat(data, b[read:end]), end
	}
	if err := note(read); err != nil {
		return 0, err
	}
	return read, write(name, data, 0o644)
}

// mostReads is how often a line that somebody is writing is looked at, a millisecond apart.
const mostReads = 100

// ReadLines is ReadOwn of a file to which others append lines, for who is to replace it. The
// system shows of a line that crosses the end of a page the beginning first (of reads beside a
// writer 1%, on ext4 and tmpfs): the rest is waited for. One that nobody goes on with is the last
// of who was killed.
func ReadLines(name string) ([]byte, error) {
	for try := 1; ; try++ {
		b, err := ReadOwn(name)
		if err != nil || len(b) == 0 || b[len(b)-1] == '\n' || try == mostReads {
			return b, err
		}
		time.Sleep(time.Millisecond)
	}
}

// carryOver appends what the old file of a name got behind its first bytes, and removes it.
func carryOver(name string, read int64) error {
	b, err := ReadLines(OldName(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && int64(len(b)) > read {
		_, err = Append(name, b[read:])
	}
	if err != nil {
		return err
	}
	return Remove(OldName(name))
}

// ReadEnd reads the last n bytes of a file that only we write, and reports
// whether that is all of it.
func ReadEnd(name string, n int64) (b []byte, whole bool, err error) {
	f, err := OpenFile(name, os.O_RDONLY|nonblock|noFollow, 0)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return nil, false, cmp.Or(err, error(&fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}))
	}
	from := max(0, st.Size()-n)
	b = make([]byte, st.Size()-from)
	got, err := f.ReadAt(b, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:got], from == 0, err
}
