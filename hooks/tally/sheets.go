package tally

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A kept sheet is that of a session's own transcript, or of a subagent's.
type kept struct {
	file    string
	session string
	sheet   sheet
}

// format is that of the cache; another one is read anew.
const format = 2

// maxCache is more than the sheets of 100,000 transcripts have, in bytes.
const maxCache = 256 << 20

type cache struct {
	Format int              `json:"format"`
	Sheets map[string]sheet `json:"sheets"`
}

func cacheFile(s *gitstore.Store) string { return s.Repo.Dir("cache", "usage", "sheets.json") }

func loadCache(s *gitstore.Store) cache {
	var c cache
	if b, err := plainfile.Read(cacheFile(s), maxCache); err != nil || json.Unmarshal(b, &c) != nil || c.Format != format {
		c.Sheets = nil
	}
	return c
}

// keep keeps the sheets for the next time. What fails is read again then.
func keep(s *gitstore.Store, list []kept) {
	c := cache{format, map[string]sheet{}}
	for _, k := range list {
		c.Sheets[k.file] = k.sheet
	}
	b, err := json.Marshal(c)
	if err == nil && plainfile.MakeFolderIn(s.Repo.Folder(), filepath.Dir(cacheFile(s))) == nil {
		_ = plainfile.Write(cacheFile(s), b)
	}
}

// sheetsOf reads the transcripts of sessions and their subagents, as far as they changed since
// they were read last.
func sheetsOf(ctx context.Context, s *gitstore.Store, list []sessions.Earlier, left func(int)) (out []kept, damaged []error, err error) {
	var wanted []kept
	for _, e := range list {
		wanted = append(wanted, kept{file: e.File, session: e.Session})
		more, _ := sessions.Subagents(e.File) // unreadable: there are none
		for _, file := range more {
			wanted = append(wanted, kept{file: file, session: e.Session})
		}
	}
	was := loadCache(s)
	errs, stale := make([]error, len(wanted)), make([]bool, len(wanted))
	work := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range work {
				stale[i], errs[i] = wanted[i].load(was)
			}
		})
	}
	for i := range wanted {
		if ctx.Err() != nil {
			break
		}
		if left != nil {
			left(len(wanted) - i)
		}
		work <- i
	}
	close(work)
	workers.Wait()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	for i, k := range wanted {
		if errs[i] != nil {
			damaged = append(damaged, &sessions.DamagedError{File: k.file, Err: errs[i]})
		} else {
			out = append(out, k)
		}
	}
	changed, err := countOnce(ctx, out)
	if err == nil && (changed || slices.Contains(stale, true) || len(was.Sheets) != len(out)) {
		keep(s, out)
	}
	return out, damaged, err
}

// load fills in the sheet of a transcript: the one of the last time, if the file is as it was.
func (k *kept) load(was cache) (stale bool, err error) {
	st, err := os.Stat(k.file)
	if err != nil {
		return false, err
	}
	if s, ok := was.Sheets[k.file]; ok && s.Size == st.Size() && s.Changed == st.ModTime().UnixNano() {
		k.sheet = s
		return false, nil
	}
	k.sheet, err = read(k.file, nil)
	k.sheet.Size, k.sheet.Changed = st.Size(), st.ModTime().UnixNano()
	return true, err
}

// countOnce has an answer count once that several transcripts have: those that begin with the
// same one are forks or copies of each other, and it counts in the oldest. They are read again,
// one after the other, when one of them has changed.
func countOnce(ctx context.Context, list []kept) (changed bool, err error) {
	same := map[string][]*kept{}
	for i := range list {
		if k := &list[i]; k.sheet.First != "" {
			same[k.sheet.First] = append(same[k.sheet.First], k)
		}
	}
	for _, group := range same {
		among := ""
		if len(group) > 1 {
			slices.SortFunc(group, func(a, b *kept) int {
				return cmp.Or(cmp.Compare(a.sheet.Changed, b.sheet.Changed), strings.Compare(a.file, b.file))
			})
			among = fingerprint(group)
		}
		if !slices.ContainsFunc(group, func(k *kept) bool { return k.sheet.Among != among }) {
			continue
		}
		changed = true
		if err := readOnce(ctx, group, among); err != nil {
			return false, err
		}
	}
	return changed, nil
}

// fingerprint changes with the transcripts of a group.
func fingerprint(group []*kept) string {
	sum := sha256.New()
	for _, k := range group {
		fmt.Fprintf(sum, "%s\x00%d\x00%d\x00", k.file, k.sheet.Size, k.sheet.Changed)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// readOnce notes for each of a group what counts in it; "" is for one that is alone.
func readOnce(ctx context.Context, group []*kept, among string) error {
	seen := map[string]bool{}
	for _, k := range group {
		k.sheet.Among, k.sheet.Once = among, nil
		if among == "" {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		again, err := read(k.file, seen)
		switch {
		case errors.Is(err, os.ErrNotExist): // it was there a moment ago, and counts as it was
			k.sheet.Once = k.sheet.Hours
		case err != nil:
			return &sessions.DamagedError{File: k.file, Err: err}
		default:
			k.sheet.Once = again.Hours
		}
	}
	return nil
}
