package pass

import (
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A Report is what a pass found, and how much it read.
type Report struct {
	Findings    []part.Finding
	Checkpoints int // that refs lead to, removed ones too
	Lost        int // of them: what cannot be read in whole
	Lines       int
	Forks       int
	Mendable    int  // findings that Repair does something about
	Partly      bool // there is more history than was to be read
}

// Broken are the findings that are neither warnings nor locks.
func (r Report) Broken() (list []part.Finding) {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f part.Finding) bool { return f.Warning || f.Kind == "lock" })
}

// Findings is what the checks of a pass found, with what a repair can do about it.
type Findings struct {
	Report    Report
	Fixes     []fixes.Fix
	OnlyThere []part.Finding  // of the report: what only the clone has that was named
	Bad       map[string]bool // checkpoints that are not whole
	Most      int             // commits of each kind of ref, and files beside them, that are read; 0 is all
}

// Add records a finding: something is broken.
func (fs *Findings) Add(kind, subject, detail string, cure ...remedy.Remedy) {
	fs.Report.Findings = append(fs.Report.Findings, part.Finding{Kind: kind, Subject: subject, Detail: detail, Cure: cure})
}

// Warn records a finding that does no harm yet.
func (fs *Findings) Warn(kind, subject, detail string, cure ...remedy.Remedy) {
	fs.Report.Findings = append(fs.Report.Findings, part.Warn(kind, subject, detail, cure...))
}

// Foreign records that our refs reach what is no memory, so that a push would carry off
// what nobody meant to give away.
func (fs *Findings) Foreign(subject, detail string) {
	fs.Add("foreign", subject, detail, remedy.PurgeForeign.On())
}

// Last is the last finding. There is one.
func (fs *Findings) Last() *part.Finding {
	return &fs.Report.Findings[len(fs.Report.Findings)-1]
}

// Mend adds the repair that mends the last finding, and what it will do.
func (fs *Findings) Mend(f fixes.Fix) {
	fs.Last().Cure = []remedy.Remedy{remedy.Repair.On().To(f.Will())}
	fs.Fixes = append(fs.Fixes, f)
	fs.Report.Mendable++
}

// Broken reports whether a finding says already that a ref is broken.
func (fs *Findings) Broken(ref string) bool {
	return slices.ContainsFunc(fs.Report.Findings, func(f part.Finding) bool { return f.Subject == ref && !f.Warning })
}

// More reports whether one more of what was counted is to be read, and counts it.
func (fs *Findings) More(counted *int) bool {
	*counted++
	past := fs.Most > 0 && *counted > fs.Most
	fs.Report.Partly = fs.Report.Partly || past
	return !past
}
