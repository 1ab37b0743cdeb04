package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A typedRef is a ref as git lists it, with what it points to if it is symbolic.
type typedRef struct {
	repo.Ref
	symref string
}

// eachRef checks what every ref of ours points to. Those that lead to commits of
// ours become tips.
func (k *checker) eachRef() {
	for some := range slices.Chunk(k.refs, atOnce) {
		k.readTips(some)
		for _, r := range some {
			if k.target(r) {
				k.tips = append(k.tips, r)
				k.count(r.Name)
			}
		}
	}
	k.warmed = nil
	k.nested()
}

// atOnce is of how many refs the tips are asked for together.
const atOnce = 500

// readTips reads what refs point to. What cannot be read is left out; then it is
// looked at alone, which says what is wrong.
func (k *checker) readTips(refs []typedRef) {
	k.warmed = map[string]git.Object{}
	var ids []string
	for _, r := range refs {
		if repo.RefKind(r.Name) != "" && k.isID(r.ID) {
			ids = append(ids, r.ID)
		}
	}
	_ = k.s.repo.Batch.Each(ids, func(id string, o git.Object, err error) {
		if err == nil && k.s.repo.Objects.New(o.Type, o.Data).ID == id {
			k.warmed[id] = o
		}
	})
}

func (k *checker) count(name string) {
	switch {
	case strings.HasPrefix(name, repo.HeadsPrefix):
		k.Report.Lines++
	case strings.HasPrefix(name, repo.ForksPrefix):
		k.Report.Forks++
	}
}

// target reports whether a ref points to a commit whose history is to be read.
func (k *checker) target(r typedRef) bool {
	if r.symref != "" {
		k.add("symbolic-ref", r.Name, "points to "+r.symref+" instead of a checkpoint; saves do not follow it", "git symbolic-ref --delete "+r.Name)
		k.reset(r.Name)
		return false
	}
	kind := repo.RefKind(r.Name)
	if strings.HasPrefix(r.Name, repo.KeptPrefix) { // what a repair replaced need not be of use
		return false
	}
	if kind == "" {
		k.warn("unknown-ref", r.Name, "not a kind of ref that this version knows", "")
		return false
	}
	o, err := k.read(r.ID)
	switch {
	case err != nil:
		if !k.restored(r.ID) {
			k.add("missing-object", r.Name, "its checkpoint "+k.title(r.ID)+" "+k.why(r.ID), "")
			k.stepBack(r.Name, r.ID)
			return false
		}
		return true // chain tells
	case o.Type != "commit":
		k.add("bad-ref", r.Name, "points to a "+o.Type+", not a checkpoint", k.asideCure(r.Ref))
		k.reset(r.Name)
		return false
	}
	if kind == "local" {
		k.name(r.Name)
	}
	rec := record.Record{ID: r.ID}
	if kind != "other" && !rec.ParseCommit(o.Data) {
		k.add("bad-format", r.Name, "points to "+record.Short(r.ID)+", a commit that is not a checkpoint", k.asideCure(r.Ref))
		k.reset(r.Name)
		return false
	}
	return true
}

// asideCure is what to type where nobody remembers what a ref was: it gives what
// is there another name, under which fsck leaves it alone and git keeps it.
func (k *checker) asideCure(r repo.Ref) string {
	kept := repo.KeptPrefix + "aside/" + strings.TrimPrefix(r.Name, "refs/sage/")
	cure := fmt.Sprintf("git update-ref %s %s && git update-ref -d %s %s", kept, record.Short(r.ID), r.Name, record.Short(r.ID))
	if k.known[r.Name].id != "" { // and cannot be read
		cure = k.fetchCure() + "; " + cure
	}
	return cure
}

func (k *checker) name(ref string) {
	_, name, _ := strings.Cut(strings.TrimPrefix(ref, "refs/sage/"), "/")
	parts := strings.Split(name, "/")
	for _, part := range parts {
		if err := repo.CheckName(part); err != nil {
			k.add("bad-name", ref, err.Error(), "git sage branch <name> "+record.Short(k.idOf(ref))+" && git update-ref -d '"+ref+"'")
			return
		}
	}
	if most := 1 + strings.Count(ref[len("refs/sage/"):], "forks/"); len(parts) > most {
		k.add("bad-name", ref, "too many parts for the name of a line, fork or tag", "git sage branch <name> "+record.Short(k.idOf(ref))+" && git update-ref -d '"+ref+"'")
	}
}

func (k *checker) idOf(name string) string {
	return k.named()[name]
}

// named are the values of refs by their names.
func (k *checker) named() map[string]string {
	if len(k.byName) != len(k.refs) {
		k.byName = make(map[string]string, len(k.refs))
		for _, r := range k.refs {
			k.byName[r.Name] = r.ID
		}
	}
	return k.byName
}

// nested names refs that stand where the folder of others would be: git can hold
// only one of the two.
func (k *checker) nested() {
	for _, name := range k.wantedRefs() {
		for _, r := range k.refs {
			if strings.HasPrefix(r.Name, name+"/") {
				k.add("name-conflict", name, fmt.Sprintf("conflicts with '%s', which lies below it", r.Name), "git sage branch <name> "+record.Short(r.ID)+" && git update-ref -d '"+r.Name+"'")
			}
		}
	}
}

// wantedRefs are the names of refs that should be there.
func (k *checker) wantedRefs() []string {
	var names []string
	for name, w := range k.known {
		if w.id != "" && k.idOf(name) == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// allRefs lists our refs, also those that point to what cannot be read.
func (ve *Verifier) allRefs(ctx context.Context) ([]typedRef, error) {
	out, err := ve.repo.Git.Run(ctx, "for-each-ref", "--format=%(objectname) %(refname) %(symref)", "refs/sage/")
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	var refs []typedRef
	for l := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), " ")
		if len(f) == 3 {
			refs = append(refs, typedRef{repo.Ref{Name: f[1], ID: f[0]}, f[2]})
		}
	}
	return refs, nil
}
