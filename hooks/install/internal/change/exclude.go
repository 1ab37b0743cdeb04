package change

import (
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/record"
)

// exclude keeps the file that is about to be written out of git, which else shows it to
// the person at every 'git status' as a file that is new, and to a team after 'git add .'.
func (p Editor) exclude(r *mend.Result, rec *record.Record) error {
	if p.Excludes == nil || rec.Excluded {
		return nil
	}
	if p.Excludes.Tracked(place.OwnLine) {
		r.Notes = append(r.Notes, filepath.Base(place.OwnLine)+" is tracked by git: a commit of it gives these hooks to everybody")
		return nil
	}
	list, err := p.Excludes.Exclude(place.OwnLine, p.DryRun)
	if err == nil && list != "" {
		rec.Excluded = true
		r.Also = append(r.Also, "added '"+place.OwnLine+"' to "+list)
	}
	return err
}

// included says whether the file is to be taken back into what git shows: when it goes
// again, and when our last entry leaves one that was there before.
func (p Editor) included(d *draft.Draft, rec *record.Record) bool {
	left := d.Gone || len(p.All(d)) == 0
	return rec.Excluded && (p.goes(d, rec) || left && !rec.Made)
}

// include takes back what exclude did.
func (p Editor) include(r *mend.Result) error {
	if p.Excludes == nil {
		return nil
	}
	list, err := p.Excludes.Include(place.OwnLine, p.DryRun)
	if err == nil && list != "" {
		r.Also = append(r.Also, "removed '"+place.OwnLine+"' from "+list)
	}
	return err
}
