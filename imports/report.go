package imports

import (
	"slices"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A Count says what became of the records of one kind for one store.
type Count struct {
	Own     bool   `json:"own"`
	Kind    string `json:"kind"`
	New     int    `json:"imported"`
	Updated int    `json:"updated"` // the tool changed it since, and nobody here did
	Had     int    `json:"had"`     // it was brought in before
	Removed int    `json:"removed"` // it was removed here since it was brought in
}

// A Renaming is a name that could not be kept.
type Renaming struct {
	Kind string `json:"kind"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// A Report says what became of all that a source has.
type Report struct {
	Tool     string
	Counts   []Count
	Renamed  []Renaming
	Problems []Problem
	Redacted []redact.Finding
	Warnings []remedy.Note
	Lines    []string // lines and forks of the project that checkpoints went to, as people write them
}

// Lost reports whether anything was not brought in as a whole.
func (r *Report) Lost() bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Grade != Noted })
}

// Total sums up the counts.
func (r *Report) Total() (all Count) {
	for _, c := range r.Counts {
		all.New, all.Updated, all.Had, all.Removed = all.New+c.New, all.Updated+c.Updated, all.Had+c.Had, all.Removed+c.Removed
	}
	return all
}

func (r *Report) count(own bool, kind string) *Count {
	for i, c := range r.Counts {
		if c.Own == own && c.Kind == kind {
			return &r.Counts[i]
		}
	}
	r.Counts = append(r.Counts, Count{Own: own, Kind: kind})
	return &r.Counts[len(r.Counts)-1]
}
