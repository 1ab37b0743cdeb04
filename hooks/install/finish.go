package install

import (
	"bytes"
)

// draft reads a file together with its record. A record of a file in which
// nothing of ours is left is of no use: its owner took our entries out.
func (p Place) draft(t *target) (*draft, *record, error) {
	d, err := p.read(t.data)
	if err != nil {
		return nil, nil, err
	}
	sites := p.all(d)
	if len(sites) == 0 {
		return d, &record{Path: t.path, Made: t.missing}, nil
	}
	rec := p.readRecord(t)
	if rec == nil {
		d.found, d.fresh = byHand(d, sites), true
		d.exact = len(d.found) == len(sites)
		return d, &record{Path: t.path}, nil
	}
	d.found = d.stillFound(rec.Found, sites)
	d.ours, d.exact = rec.spans(t.data)
	if d.exact && !p.isOwners(d) {
		d.ours, d.exact = nil, false
	}
	return d, rec, nil
}

// isOwners says whether a file without our bytes is a whole one with nothing of ours in
// it but what was found there, in which what is left means what it meant.
func (p Place) isOwners(d *draft) bool {
	owner, err := p.read(d.owner())
	return err == nil && len(p.all(owner)) == len(d.found) && keeps(d.statements, owner.statements)
}

// finish writes an edited file and its record: first the record, so that a
// crash between the two leaves at worst one that fits no file.
func (p Place) finish(t *target, d *draft, rec *record) error {
	if d.gone || len(p.all(d)) == 0 {
		return p.restore(t, d, rec)
	}
	d.note(p.all(d))
	rec.update(d)
	if t.missing {
		rec.Dirs = t.toMake()
	}
	if err := p.writeRecord(t.path, rec); err != nil {
		return err
	}
	return t.write(d.src)
}

// restore writes the file as its owner had it, now that the last entry of ours
// is out, or removes it if we made it and nothing else came in.
func (p Place) restore(t *target, d *draft, rec *record) error {
	var err error
	if p.goes(d, rec) {
		err = t.delete(rec.Dirs)
	} else {
		err = t.write(p.left(d))
	}
	if err == nil {
		p.dropRecord(t.path)
	}
	return err
}

// left is what stays of a file without our entries.
func (p Place) left(d *draft) []byte {
	if d.exact && p.isOwners(d) {
		return d.owner()
	}
	return d.src
}

// goes says whether a file goes with our last entry.
func (p Place) goes(d *draft, rec *record) bool {
	return len(p.all(d)) == 0 && rec.Made && isEmpty(p.left(d))
}

// isEmpty says whether a file has nothing in it, or an object with nothing.
func isEmpty(data []byte) bool {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, bom))
	return len(data) == 0 || len(bytes.TrimSpace(bytes.Trim(data, "{}"))) == 0
}
