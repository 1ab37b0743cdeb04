package hub

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed/internal/web"
)

// A promise is what the hub says of a file.
type promise struct {
	size int64
	sum  string // SHA-256, or git's blob id
}

// fetch fetches one file into dir, unless it is there.
func (h *Hub) fetch(ctx context.Context, name, commit, file, dir string, most int64) error {
	address := h.base() + "/" + name + "/resolve/" + commit + "/" + file
	p, err := h.promise(ctx, address, most)
	if err == nil {
		to := filepath.Join(dir, filepath.FromSlash(file))
		if kept(to, p) {
			return nil
		}
		if err = plainfile.MakeFolder(dir, filepath.Dir(to)); err == nil {
			err = h.download(ctx, address, file, to, p)
		}
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("fetch %s of '%s': %w", file, name, err)
	}
	return err
}

// promise asks the hub for the size and the checksum.
func (h *Hub) promise(ctx context.Context, address string, most int64) (p promise, err error) {
	ctx, cancel := h.patience(ctx)
	defer cancel()
	resp, err := h.get(ctx, http.MethodHead, address, 0)
	if err != nil {
		return p, err
	}
	defer resp.Body.Close()
	tag := cmp.Or(resp.Header.Get("X-Linked-Etag"), resp.Header.Get("Etag"))
	p.sum = strings.Trim(strings.TrimPrefix(tag, "W/"), `"`)
	if p.size, err = strconv.ParseInt(cmp.Or(resp.Header.Get("X-Linked-Size"), resp.Header.Get("Content-Length")), 10, 64); err != nil {
		return p, fmt.Errorf("%s says no size", h.host())
	}
	switch {
	case !isHex(p.sum, 64) && !isHex(p.sum, 40):
		return p, fmt.Errorf("%s says no checksum", h.host())
	case p.size < 0 || p.size > most:
		return p, fmt.Errorf("it has %d bytes, more than %d MB", p.size, most>>20)
	}
	return p, nil
}

// kept says whether a file holds what is promised.
func kept(path string, p promise) bool {
	f, err := plainfile.Open(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() != p.size {
		return false
	}
	var sum hash.Hash = sha256.New()
	if len(p.sum) == 40 {
		sum = sha1.New()
		fmt.Fprintf(sum, "blob %d\x00", p.size)
	}
	_, err = io.Copy(sum, f)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == p.sum
}

var errOther = errors.New("what came is not what the hub has: its checksum is another")

// download fetches into a .part, and puts it in its place when it is whole. The part's
// name says what it is to become: another revision's is none of it.
func (h *Hub) download(ctx context.Context, address, file, to string, p promise) error {
	part := fmt.Sprintf("%s.%.16s.part", to, p.sum)
	wait := firstWait
	for idle := 0; ; {
		before := sizeOf(part)
		err := h.more(ctx, address, file, part, p)
		if err == nil {
			break
		}
		if !web.IsPassing(err) || ctx.Err() != nil {
			return err
		}
		if idle++; sizeOf(part) > before {
			idle, wait = 0, firstWait
		}
		if idle == tries {
			return err
		}
		if err := h.pace().Wait(ctx, wait); err != nil {
			return err
		}
		wait = min(mostWait, wait*2)
	}
	if !kept(part, p) {
		return errors.Join(errOther, os.Remove(part))
	}
	return os.Rename(part, to)
}

func empty(part string) error {
	f, err := plainfile.Open(part, os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return err
	}
	return f.Close()
}

func sizeOf(path string) int64 {
	info, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

var errIdle = errors.New("the server went silent")

// more fetches what a part lacks. A refusal says that it broke off.
func (h *Hub) more(ctx context.Context, address, file, part string, p promise) (err error) {
	have := sizeOf(part)
	if have == p.size && p.size > 0 {
		return nil
	}
	if have > p.size {
		have = 0
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := cmp.Or(h.Idle, idleTime)
	watch := time.AfterFunc(idle, func() { cancel(errIdle) })
	defer watch.Stop()
	resp, err := h.follow(ctx, http.MethodGet, address, have)
	if err != nil {
		return silent(ctx, err)
	}
	defer resp.Body.Close()
	if !strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)) || resp.StatusCode != http.StatusPartialContent {
		have = 0 // all of it comes, or nothing of use
	}
	if resp.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return web.Passed(errors.Join(errors.New("the server does not go on where it broke off"), empty(part)))
	}
	f, err := plainfile.Open(part, os.O_CREATE|os.O_WRONLY)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Truncate(have); err != nil {
		return err
	}
	if _, err := f.Seek(have, io.SeekStart); err != nil {
		return err
	}
	to := &meter{to: f, left: p.size - have, tell: func(left int64) {
		watch.Reset(idle)
		if h.Left != nil {
			h.Left(file, left)
		}
	}}
	n, err := io.Copy(to, io.LimitReader(resp.Body, p.size-have+1))
	switch {
	case errors.Is(err, errFull):
		return errors.Join(fmt.Errorf("the server sends more than the %d bytes that it has", p.size), empty(part))
	case to.failed != nil:
		return to.failed
	case err != nil:
		return silent(ctx, err)
	case have+n < p.size:
		return web.Passed(fmt.Errorf("it broke off after %d of %d bytes", have+n, p.size))
	}
	return f.Sync()
}

// silent is an error of the network, which another try may not meet.
func silent(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errIdle) {
		return cause
	} else if cause != nil {
		err = cause
	}
	if web.IsPassing(err) || errors.Is(err, errIdle) || errors.Is(err, io.ErrUnexpectedEOF) || isNet(err) {
		return web.Passed(err)
	}
	return err
}
