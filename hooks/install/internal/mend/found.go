package mend

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// ByHand are the hooks of a file that somebody wrote. What is to the letter as Install
// writes it is taken for Install's: its record may be lost, or the file be a copy.
func ByHand(d *draft.Draft, sites []entry.Site) (list []draft.Found) {
	for _, s := range sites {
		if s.Event != "" && !entry.IsAsked(d.Src, s.Value) && !isInstalls(d, s) {
			text := s.Text(d)
			list = append(list, draft.Found{Event: s.Event, Was: text, Now: text})
		}
	}
	return list
}

// isInstalls says whether a hook is one that Install writes, of any path.
func isInstalls(d *draft.Draft, s entry.Site) bool {
	i := slices.IndexFunc(entry.Events(false), func(e entry.Event) bool { return e.Name == s.Event })
	if i < 0 || d.TOML {
		return false
	}
	want := entry.Events(false)[i].Hook(s.Program(d.Src), false)
	return bare(s.Text(d)) == bare(jsonc.Style{Colon: ":", Comma: ","}.Render(want, ""))
}

// bare is an entry without the white space of its layout; with comments it is as it is.
func bare(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// Keeper is the record of an entry that its owner keeps; nil if it goes.
func Keeper(d *draft.Draft, s entry.Site) *draft.Found {
	for i, f := range d.Found {
		if isFound(d, s, f) {
			return &d.Found[i]
		}
	}
	return nil
}

// isFound says whether an entry is the one that was found, as we left it.
func isFound(d *draft.Draft, s entry.Site, f draft.Found) bool {
	return f.Event == s.Event && bare(f.Now) == bare(s.Text(d))
}

// StillFound are those of a record that are in the file as we left them.
func StillFound(d *draft.Draft, all []draft.Found, sites []entry.Site) (list []draft.Found) {
	for _, f := range all {
		if slices.ContainsFunc(sites, func(s entry.Site) bool { return isFound(d, s, f) }) {
			list = append(list, f)
		}
	}
	return list
}

// NoteFound takes down what became of what was found.
func NoteFound(d *draft.Draft, sites []entry.Site) {
	for i := range d.Found {
		f := &d.Found[i]
		if at := slices.IndexFunc(sites, func(s entry.Site) bool { return s.Event == f.Event }); at >= 0 {
			f.Now = sites[at].Text(d)
		}
	}
}

// GiveBack makes an entry what its owner wrote.
func GiveBack(d *draft.Draft, s entry.Site, f *draft.Found, r *Result) error {
	if r.Leaves(s, f); bare(f.Now) == bare(f.Was) {
		return nil
	}
	f.Now = f.Was
	return d.Edit([]edit.Splice{{From: s.Value.From, To: s.Value.To, Text: f.Was}})
}

// Leaves says that an entry stays.
func (r *Result) Leaves(s entry.Site, f *draft.Found) {
	if bare(f.Now) != bare(f.Was) {
		r.Changes = append(r.Changes, s.Name()+" is as it was before install")
	}
	r.Notes = append(r.Notes, s.Name()+" was there before install, and stays; run 'git sage hooks uninstall' again to remove it")
}
