package install

import "path/filepath"

// ownLine is the file with hooks of a person in a project, as git's lists name it.
const ownLine = "/.claude/settings.local.json"

// exclude keeps the file that is about to be written out of git, which else shows it to
// the person at every 'git status' as a file that is new, and to a team after 'git add .'.
func (p Place) exclude(r *Result, rec *record) error {
	if p.Excludes == nil || rec.Excluded {
		return nil
	}
	if p.Excludes.Tracked(ownLine) {
		r.Notes = append(r.Notes, filepath.Base(ownLine)+" is tracked by git: a commit of it gives these hooks to everybody")
		return nil
	}
	list, err := p.Excludes.Exclude(ownLine, p.DryRun)
	if err == nil && list != "" {
		rec.Excluded = true
		r.Also = append(r.Also, "added '"+ownLine+"' to "+list)
	}
	return err
}

// included says whether the file is to be taken back into what git shows: when it goes
// again, and when our last entry leaves one that was there before.
func (p Place) included(d *draft, rec *record) bool {
	left := d.gone || len(p.all(d)) == 0
	return rec.Excluded && (p.goes(d, rec) || left && !rec.Made)
}

// include takes back what exclude did.
func (p Place) include(r *Result) error {
	if p.Excludes == nil {
		return nil
	}
	list, err := p.Excludes.Include(ownLine, p.DryRun)
	if err == nil && list != "" {
		r.Also = append(r.Also, "removed '"+ownLine+"' from "+list)
	}
	return err
}
