package tally

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
const format = 1

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
	if slices.Contains(stale, true) || len(was.Sheets) != len(out) {
		keep(s, out)
	}
	return out, damaged, countOnce(ctx, out)
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

// countOnce reads transcripts that begin with the same answer again, one after the other: one
// is a fork or a copy of the other, and an answer that both have counts in the older one.
func countOnce(ctx context.Context, list []kept) error {
	same := map[string][]int{}
	for i, k := range list {
		if k.sheet.First != "" {
			same[k.sheet.First] = append(same[k.sheet.First], i)
		}
	}
	for _, group := range same {
		if len(group) == 1 {
			continue
		}
		slices.SortFunc(group, func(a, b int) int {
			return cmp.Or(cmp.Compare(list[a].sheet.Changed, list[b].sheet.Changed), strings.Compare(list[a].file, list[b].file))
		})
		seen := map[string]bool{}
		for _, i := range group {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			again, err := read(list[i].file, seen)
			if errors.Is(err, os.ErrNotExist) {
				continue // it was there a moment ago, and counts as it was
			} else if err != nil {
				return &sessions.DamagedError{File: list[i].file, Err: err}
			}
			list[i].sheet.Hours = again.Hours
		}
	}
	return nil
}
