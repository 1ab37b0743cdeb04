package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/imports/markdown"
	"github.com/git-sage/git-sage/recall/propose"
	"github.com/git-sage/git-sage/recall/provenance"
)

// A page is a checkpoint on its way into a folder.
type page struct {
	c        *sage.Checkpoint
	name     string // of its file, without the ending
	title    string // its description
	text     string // in the form of its template; "" is the common form
	children []*page
	parents  []link
}

// A link leads to another page of the folder, or, with no page, is only an id.
type link struct {
	ID   string
	Page *page
}

// pages names the files of checkpoints, oldest first, and ties them together,
// over the tombstones between them, of which graves holds the parents. A name
// depends only on the checkpoint, so that it is the same in every
// export; of two that would share one, the later gets its id as well.
func pages(cs []*sage.Checkpoint, graves map[string][]string) []*page {
	byID, taken := map[string]*page{}, map[string]bool{}
	list := make([]*page, 0, len(cs))
	for _, c := range cs {
		p := &page{c: c, name: fileName(c), title: provenance.BylineOf(c) + sage.Describe(c, c.MessageCount)}
		if taken[p.name] {
			p.name += "-" + c.ID[:min(8, len(c.ID))]
		}
		taken[p.name], byID[c.ID] = true, p
		list = append(list, p)
	}
	for _, p := range list {
		for _, id := range overGraves(p.c.Parents, graves) {
			parent := byID[id]
			p.parents = append(p.parents, link{id, parent})
			if parent != nil {
				parent.children = append(parent.children, p)
			}
		}
	}
	return list
}

// overGraves replaces tombstones by what they follow.
func overGraves(ids []string, graves map[string][]string) []string {
	var out []string
	for _, id := range ids {
		next := []string{id}
		if parents, ok := graves[id]; ok {
			next = overGraves(parents, graves)
		}
		for _, n := range next {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// fileName is <time>_<slug>, in UTC and without characters that a file system
// refuses.
func fileName(c *sage.Checkpoint) string {
	s := slug(sage.Describe(c, c.MessageCount))
	if s == "" {
		s = "checkpoint-" + c.ID[:min(8, len(c.ID))]
	}
	return c.Time.UTC().Format("2006-01-02T15-04-05") + "_" + s
}

// maxSlug keeps file names short enough for any file system, with a folder
// before them.
const maxSlug = 60

// slug is what a file is called that holds a text; "" if nothing of it is left.
func slug(s string) string { return clipSlug(propose.Slug(s)) }

// clipSlug cuts s to maxSlug, at the end of a word if that is not far.
func clipSlug(s string) string {
	if len(s) <= maxSlug {
		return s
	}
	if i := strings.LastIndexByte(s[:maxSlug+1], '-'); i > maxSlug/2 {
		return s[:i]
	}
	return s[:maxSlug]
}

// A folder is where pages are written.
type folder struct {
	path    string
	written int // files that are new or changed
	same    int
	kept    []string // files that are the user's, and were not written
	force   bool     // the user's are written over

	sums map[string][]string // of what exports wrote, by the names of files; two if one was interrupted
	list *os.File            // where sums are noted before a file is written; nil before the first
}

// listName is the file of a folder that lists what exports wrote, as sha256sum does.
const listName = ".git-sage-export"

// newFolder makes the folder, and refuses one that holds anything unless it is
// to be updated.
func newFolder(path string, update, force bool) (*folder, error) {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.MkdirAll(path, 0o777)
	case err == nil && len(entries) > 0 && !update:
		return nil, exit.WithHint(fmt.Errorf("folder '%s' is not empty", path), "--update writes what changed and leaves other files alone")
	}
	if err != nil {
		return nil, err
	}
	f := &folder{path: path, force: force, sums: map[string][]string{}}
	text, _, err := readPlain(filepath.Join(path, listName), filepath.Join(path, listName))
	for line := range strings.Lines(string(text)) {
		if sum, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  "); ok {
			f.sums[name] = append(f.sums[name], sum)
		}
	}
	return f, err
}

// put writes a file if its content differs. A file that no export wrote, or that was changed
// since, is left alone. The file is replaced as a whole, so that a symbolic link is not written
// through.
func (f *folder) put(name string, data []byte) error {
	file, key, sum := filepath.Join(f.path, name), filepath.ToSlash(name), markdown.SumOf(data)
	old, there, err := readPlain(file, file)
	same := there && bytes.Equal(old, data)
	switch {
	case there && (err != nil || !same && !f.force && !slices.Contains(f.sums[key], markdown.SumOf(old))):
		f.kept = append(f.kept, file)
		return nil
	case err != nil:
		return err
	}
	if err := f.note(key, sum); err != nil {
		return err
	}
	if same {
		f.same++
	} else if err := replaceFile(file, data); err != nil {
		return err
	} else {
		f.written++
	}
	f.sums[key] = []string{sum}
	return nil
}

// note lists a sum before the file is written: after an export that was killed, the next one
// knows the file as it was and as it was to be.
func (f *folder) note(name, sum string) (err error) {
	if slices.Contains(f.sums[name], sum) {
		return nil
	}
	f.sums[name] = append(f.sums[name], sum)
	end := ""
	if f.list == nil {
		if f.list, err = os.OpenFile(filepath.Join(f.path, listName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
			return err
		}
		end = "\n" // of a line that was cut
	}
	_, err = fmt.Fprintf(f.list, "%s%s  %s\n", end, sum, name)
	return err
}

// close writes the list anew, if it changed, and names the files that were left alone. What
// ended the writing comes first.
func (f *folder) close(err error) error {
	if f.list != nil {
		cerr := f.list.Close()
		if err = cmp.Or(err, cerr); err != nil { // the sums are noted, and the next export goes on
			return err
		}
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(f.sums)) {
			for _, sum := range f.sums[name] {
				fmt.Fprintf(&b, "%s  %s\n", sum, name)
			}
		}
		if err := replaceFile(filepath.Join(f.path, listName), []byte(b.String())); err != nil {
			return err
		}
	}
	switch n := len(f.kept); {
	case err != nil || n == 0:
		return err
	case n == 1:
		err = fmt.Errorf("'%s' is not from an export, or was changed since: it is left alone", f.kept[0])
	default:
		err = fmt.Errorf("%d files are not from an export, or were changed since: they are left alone: '%s' and others", n, f.kept[0])
	}
	if f.force { // what is no plain file
		return err
	}
	return exit.WithHint(err, "--force writes over them")
}
