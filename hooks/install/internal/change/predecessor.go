package change

import (
	"bytes"
	"errors"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/predecessor"
	"github.com/git-sage/git-sage/hooks/install/internal/record"
)

// replaced is a file before and after entries of the tool before us were taken out.
type replaced struct {
	Path   string         `json:"path"`
	Before []byte         `json:"before"`
	After  []byte         `json:"after"`
	Ours   *record.Record `json:"ours,omitempty"` // what was ours in it before
}

// replacedName is under what a file that was replaced is recorded.
func replacedName(path string) string { return "claude-sage: " + path }

// RemovePredecessor takes the hooks and servers of the tool before us out of all files here.
func (p Editor) RemovePredecessor() (list []mend.Result, err error) {
	err = p.eachFile(func(part place.Part, s place.Scope, path string) error {
		r, err := p.removePredecessor(part, s, path)
		if len(r.Changes) > 0 {
			list = append(list, r)
		}
		return err
	})
	return list, err
}

// eachFile calls fn with the files of all parts and scopes here, those of servers in one file
// one after the other.
func (p Editor) eachFile(fn func(part place.Part, s place.Scope, path string) error) error {
	for _, part := range p.Parts() {
		for _, s := range p.Scopes() {
			path, _, err := p.File(part, s)
			if err == nil {
				err = fn(part, s, path)
			}
			if err != nil && !errors.Is(err, place.ErrNoProject) {
				return err
			}
		}
	}
	return nil
}

func (p Editor) removePredecessor(part place.Part, s place.Scope, path string) (mend.Result, error) {
	var servers []string
	if part == place.MCP {
		servers = p.Servers(s)
	}
	d := p.Look(part, s)
	if d == nil || d.Root == nil || len(predecessor.Sites(d.Src, d.Root, servers)(d.Src, d.Root)) == 0 {
		return mend.Result{Path: path}, nil
	}
	if err := p.keepReplaced(path, d.Src); err != nil {
		return mend.Result{Path: path}, err
	}
	r, err := p.Change(part, s, func(d *draft.Draft, r *mend.Result) error {
		r.Notes, d.Exact = nil, false // what goes was its owner's
		find := predecessor.Sites(d.Src, d.Root, servers)
		for sites := find(d.Src, d.Root); len(sites) > 0; sites = find(d.Src, d.Root) {
			last := sites[len(sites)-1]
			what := "removed a server of claude-sage"
			if last.Event != "" {
				what = "removed a hook of claude-sage for " + last.Event
			}
			r.Changes = append(r.Changes, what)
			if err := mend.Take(d, last); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return r, err
	}
	return r, p.noteReplaced(path)
}

// keepReplaced records a file as it is, before it is changed. Of one from which more is taken
// later the first bytes stay, as long as nobody else wrote it between.
func (p Editor) keepReplaced(path string, before []byte) error {
	var was replaced
	if p.DryRun {
		return nil
	}
	ours := record.Folder(p.Records).OfFile(path)
	if record.Folder(p.Records).Read(replacedName(path), &was) && bytes.Equal(was.After, before) {
		before, ours = was.Before, was.Ours
	}
	return record.Folder(p.Records).Write(replacedName(path), replaced{Path: path, Before: before, Ours: ours})
}

// noteReplaced records what a file was changed to.
func (p Editor) noteReplaced(path string) error {
	var was replaced
	if p.DryRun || !record.Folder(p.Records).Read(replacedName(path), &was) {
		return nil
	}
	t, err := disk.Open(path, true)
	if err != nil {
		return err
	}
	was.After = t.Data
	return record.Folder(p.Records).Write(replacedName(path), was)
}

// RestorePredecessor puts back what RemovePredecessor changed.
func (p Editor) RestorePredecessor() (list []mend.Result, err error) {
	done := map[string]bool{}
	err = p.eachFile(func(part place.Part, s place.Scope, path string) error {
		var was replaced
		if done[path] || !record.Folder(p.Records).Read(replacedName(path), &was) || was.Path != path {
			return nil
		}
		done[path] = true
		t, err := disk.Open(path, true)
		if err != nil {
			return err
		}
		r := mend.Result{Path: path, Changes: []string{"put back what claude-sage had there"}}
		if bytes.Equal(t.Data, was.After) {
			err = p.restoreReplaced(t, was)
		} else {
			r, err = p.putBackEntries(part, s, was)
		}
		if err != nil {
			return err
		}
		if !p.DryRun {
			record.Folder(p.Records).Drop(replacedName(path))
		}
		if len(r.Changes) > 0 {
			list = append(list, r)
		}
		return nil
	})
	return list, err
}

// restoreReplaced writes a file as it was, with its record.
func (p Editor) restoreReplaced(t *disk.File, was replaced) error {
	if p.DryRun {
		return nil
	}
	if err := t.Write(was.Before); err != nil || was.Ours == nil {
		return err
	}
	return record.Folder(p.Records).Write(was.Path, was.Ours)
}

// putBackEntries adds the entries that were taken out to a file that somebody wrote since, us
// for one: all else in it stays.
func (p Editor) putBackEntries(part place.Part, s place.Scope, was replaced) (mend.Result, error) {
	before, err := p.Read(was.Before)
	if err != nil {
		return mend.Result{}, err
	}
	after, err := p.Read(was.After)
	if err != nil {
		return mend.Result{}, err
	}
	return p.Change(part, s, func(d *draft.Draft, r *mend.Result) error {
		r.Notes, d.Exact = nil, false // what comes is its owner's
		there := append(oldEntries(d), oldEntries(after)...)
		for _, e := range oldEntries(before) {
			if slices.Contains(there, e) {
				continue
			}
			r.Changes = append(r.Changes, "put back "+e.shown())
			if err := e.putInto(d); err != nil {
				return err
			}
		}
		if rec := record.Folder(p.Records).OfFile(was.Path); rec != nil {
			d.Ours, d.Exact = rec.Find(d.Src)
		}
		return nil
	})
}
