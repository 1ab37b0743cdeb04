package install

// ownLine is the file with hooks of a person in a project, as git's lists name it.
const ownLine = "/.claude/settings.local.json"

// exclude keeps the file that is about to be made out of git, which else shows it to the
// person at every 'git status' as a file that is new.
func (p Place) exclude(r *Result, rec *record) error {
	if p.Excludes == nil {
		return nil
	}
	list, err := p.Excludes.Exclude(ownLine, p.DryRun)
	if err == nil && list != "" {
		rec.Excluded = true
		r.Also = append(r.Also, "added '"+ownLine+"' to "+list)
	}
	return err
}

// include takes that back when the file is gone.
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
