package install

import (
	"bytes"
	"encoding/json"
	"slices"
)

// byHand are the hooks of a file that somebody wrote. What is to the letter as Install
// writes it is taken for Install's: its record may be lost, or the file be a copy.
func byHand(d *draft, sites []site) (list []found) {
	for _, s := range sites {
		if s.event != "" && !isAsked(d.src, s.val) && !isInstalls(d, s) {
			text := s.text(d)
			list = append(list, found{s.event, text, text})
		}
	}
	return list
}

// isInstalls says whether a hook is one that Install writes, of any path.
func isInstalls(d *draft, s site) bool {
	i := slices.IndexFunc(events, func(e event) bool { return e.name == s.event })
	if i < 0 || d.toml {
		return false
	}
	want := hookEntry(s.program(d.src), events[i].arg, events[i].timeout)
	return bare(s.text(d)) == bare(style{colon: ":", comma: ","}.render(want, ""))
}

func (s site) text(d *draft) string { return string(d.src[s.val.from:s.val.to]) }

// bare is an entry without the white space of its layout; with comments it is as it is.
func bare(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// keeper is the record of an entry that its owner keeps; nil if it goes.
func (d *draft) keeper(s site) *found {
	for i, f := range d.found {
		if f.is(d, s) {
			return &d.found[i]
		}
	}
	return nil
}

// is says whether an entry is the one, as we left it.
func (f found) is(d *draft, s site) bool {
	return f.Event == s.event && bare(f.Now) == bare(s.text(d))
}

// stillFound are those of a record that are in the file as we left them.
func (d *draft) stillFound(all []found, sites []site) (list []found) {
	for _, f := range all {
		if slices.ContainsFunc(sites, func(s site) bool { return f.is(d, s) }) {
			list = append(list, f)
		}
	}
	return list
}

// note takes down what became of what was found.
func (d *draft) note(sites []site) {
	for i := range d.found {
		f := &d.found[i]
		if at := slices.IndexFunc(sites, func(s site) bool { return s.event == f.Event }); at >= 0 {
			f.Now = sites[at].text(d)
		}
	}
}

// giveBack makes an entry what its owner wrote.
func (d *draft) giveBack(s site, f *found, r *Result) error {
	if r.leaves(s, f); bare(f.Now) == bare(f.Was) {
		return nil
	}
	f.Now = f.Was
	return d.edit([]splice{{s.val.from, s.val.to, f.Was}})
}

// leaves says that an entry stays.
func (r *Result) leaves(s site, f *found) {
	if bare(f.Now) != bare(f.Was) {
		r.Changes = append(r.Changes, s.name()+" is as it was before install")
	}
	r.Notes = append(r.Notes, s.name()+" was there before install, and stays; run 'git sage hooks uninstall' again to remove it")
}
