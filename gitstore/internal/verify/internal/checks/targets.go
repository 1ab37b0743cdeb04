package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// Targets checks what every ref of ours points to. Those that lead to commits of
// ours become tips.
type Targets struct{}

func (Targets) Run(p *pass.Pass) {
	for some := range slices.Chunk(p.List, atOnce) {
		readTips(p, some)
		for _, r := range some {
			if leads(p, r) {
				p.Tips = append(p.Tips, r)
				count(p, r.Name)
			}
		}
	}
	p.Warmed = nil
	nested(p)
}

// atOnce is of how many refs the tips are asked for together.
const atOnce = 500

// readTips reads what refs point to. What cannot be read is left out; then it is
// looked at alone, which says what is wrong.
func readTips(p *pass.Pass, refs []pass.TypedRef) {
	p.Warmed = map[string]git.Object{}
	var ids []string
	for _, r := range refs {
		if refname.Kind(r.Name) != "" && p.IsID(r.ID) {
			ids = append(ids, r.ID)
		}
	}
	_ = p.Repo.Batch.Each(ids, func(id string, o git.Object, err error) {
		if err == nil && p.Repo.Objects.New(o.Type, o.Data).ID == id {
			p.Warmed[id] = o
		}
	})
}

func count(p *pass.Pass, name string) {
	switch {
	case strings.HasPrefix(name, refname.HeadsPrefix):
		p.Report.Lines++
	case strings.HasPrefix(name, refname.ForksPrefix):
		p.Report.Forks++
	}
}

// leads reports whether a ref points to a commit whose history is to be read.
func leads(p *pass.Pass, r pass.TypedRef) bool {
	if r.Symref != "" {
		p.Add("symbolic-ref", r.Name, "points to "+r.Symref+" instead of a checkpoint; saves do not follow it", remedy.Typed("git symbolic-ref --delete "+r.Name))
		p.Reset(r.Name)
		return false
	}
	kind := refname.Kind(r.Name)
	if strings.HasPrefix(r.Name, refname.KeptPrefix) { // what a repair replaced need not be of use
		return false
	}
	if kind == "" {
		p.Warn("unknown-ref", r.Name, "not a kind of ref that this version knows")
		return false
	}
	o, err := p.Read(r.ID)
	switch {
	case err != nil:
		if !p.Restorable(r.ID) {
			p.Add("missing-object", r.Name, "its checkpoint "+p.Title(r.ID)+" "+p.Why(r.ID))
			p.StepBack(r.Name, r.ID)
			return false
		}
		return true // chain tells
	case o.Type != "commit":
		p.Add("bad-ref", r.Name, "points to a "+o.Type+", not a checkpoint", asideCure(p, r.Ref)...)
		p.Reset(r.Name)
		return false
	}
	if kind == "local" {
		checkName(p, r.Name)
	}
	rec := record.Record{ID: r.ID}
	if kind != "other" && !rec.ParseCommit(o.Data) {
		p.Add("bad-format", r.Name, "points to "+record.Short(r.ID)+", a commit that is not a checkpoint", asideCure(p, r.Ref)...)
		p.Reset(r.Name)
		return false
	}
	return true
}

// asideCure is what to do where nobody remembers what a ref was: it gives what
// is there another name, under which fsck leaves it alone and git keeps it.
func asideCure(p *pass.Pass, r refname.Ref) (cure []remedy.Remedy) {
	kept := refname.KeptPrefix + "aside/" + strings.TrimPrefix(r.Name, "refs/sage/")
	if p.Known[r.Name].ID != "" { // and cannot be read
		cure = append(cure, pass.FetchCure())
	}
	return append(cure, remedy.Typed(fmt.Sprintf("git update-ref %s %s && git update-ref -d %s %s", kept, record.Short(r.ID), r.Name, record.Short(r.ID))))
}

func checkName(p *pass.Pass, ref string) {
	_, name, _ := strings.Cut(strings.TrimPrefix(ref, "refs/sage/"), "/")
	parts := strings.Split(name, "/")
	for _, part := range parts {
		if err := refname.CheckName(part); err != nil {
			p.Add("bad-name", ref, err.Error(), remedy.StartLineInstead.On(record.Short(p.IDOf(ref)), ref))
			return
		}
	}
	if most := 1 + strings.Count(ref[len("refs/sage/"):], "forks/"); len(parts) > most {
		p.Add("bad-name", ref, "too many parts for the name of a line, fork or tag", remedy.StartLineInstead.On(record.Short(p.IDOf(ref)), ref))
	}
}

// nested names refs that stand where the folder of others would be: git can hold
// only one of the two.
func nested(p *pass.Pass) {
	for _, name := range wantedRefs(p) {
		for _, r := range p.List {
			if strings.HasPrefix(r.Name, name+"/") {
				p.Add("name-conflict", name, fmt.Sprintf("conflicts with '%s', which lies below it", r.Name), remedy.StartLineInstead.On(record.Short(r.ID), r.Name))
			}
		}
	}
}

// wantedRefs are the names of refs that should be there.
func wantedRefs(p *pass.Pass) []string {
	var names []string
	for name, w := range p.Known {
		if w.ID != "" && p.IDOf(name) == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
