package change

import (
	"bytes"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/record"
)

// draft reads a file together with its record. A record of a file in which
// nothing of ours is left is of no use: its owner took our entries out.
func (p Editor) draft(t *disk.File) (*draft.Draft, *record.Record, error) {
	d, err := p.Read(t.Data)
	if err != nil {
		return nil, nil, err
	}
	sites := p.All(d)
	if len(sites) == 0 {
		return d, &record.Record{Path: t.Path, Made: t.Missing}, nil
	}
	rec := record.Folder(p.Records).OfFile(t.Path)
	if rec == nil {
		d.Found, d.Fresh = mend.ByHand(d, sites), true
		d.Exact = len(d.Found) == len(sites)
		return d, &record.Record{Path: t.Path}, nil
	}
	d.Found = mend.StillFound(d, rec.Found, sites)
	d.Ours, d.Exact = rec.Find(t.Data)
	if d.Exact && !p.isOwners(d) {
		d.Ours, d.Exact = nil, false
	}
	return d, rec, nil
}

// isOwners says whether a file without our bytes is a whole one with nothing of ours in
// it but what was found there, in which what is left means what it meant.
func (p Editor) isOwners(d *draft.Draft) bool {
	owner, err := p.Read(d.Owner())
	return err == nil && len(p.All(owner)) == len(d.Found) && mend.KeepsMeaning(d.Statements, owner.Statements)
}

// finish writes an edited file and its record: first the record, so that a
// crash between the two leaves at worst one that fits no file.
func (p Editor) finish(t *disk.File, d *draft.Draft, rec *record.Record) error {
	if d.Gone || len(p.All(d)) == 0 {
		return p.restore(t, d, rec)
	}
	mend.NoteFound(d, p.All(d))
	rec.Describe(d)
	if t.Missing {
		rec.Dirs = t.MissingFolders()
	}
	if err := record.Folder(p.Records).Write(t.Path, rec); err != nil {
		return err
	}
	return t.Write(d.Src)
}

// restore writes the file as its owner had it, now that the last entry of ours
// is out, or removes it if we made it and nothing else came in.
func (p Editor) restore(t *disk.File, d *draft.Draft, rec *record.Record) error {
	var err error
	if p.goes(d, rec) {
		err = t.Delete(rec.Dirs)
	} else {
		err = t.Write(p.left(d))
	}
	if err == nil {
		record.Folder(p.Records).Drop(t.Path)
	}
	return err
}

// left is what stays of a file without our entries.
func (p Editor) left(d *draft.Draft) []byte {
	if d.Exact && p.isOwners(d) {
		return d.Owner()
	}
	return d.Src
}

// goes says whether a file goes with our last entry.
func (p Editor) goes(d *draft.Draft, rec *record.Record) bool {
	return len(p.All(d)) == 0 && rec.Made && isEmpty(p.left(d))
}

// isEmpty says whether a file has nothing in it, or an object with nothing.
func isEmpty(data []byte) bool {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, edit.BOM))
	return len(data) == 0 || len(bytes.TrimSpace(bytes.Trim(data, "{}"))) == 0
}
