package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// A typedRef is a ref as git lists it, with what it points to if it is symbolic.
type typedRef struct {
	ref
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
				k.count(r.name)
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
		if refKind(r.name) != "" && k.isID(r.id) {
			ids = append(ids, r.id)
		}
	}
	_ = k.s.batch.Each(ids, func(id string, o git.Object, err error) {
		if err == nil && k.s.objects.New(o.Type, o.Data).ID == id {
			k.warmed[id] = o
		}
	})
}

func (k *checker) count(name string) {
	switch {
	case strings.HasPrefix(name, headsPrefix):
		k.report.Lines++
	case strings.HasPrefix(name, forksPrefix):
		k.report.Forks++
	}
}

// target reports whether a ref points to a commit whose history is to be read.
func (k *checker) target(r typedRef) bool {
	if r.symref != "" {
		k.add("symbolic-ref", r.name, "points to "+r.symref+" instead of a checkpoint; nothing is saved through it", "git symbolic-ref --delete "+r.name)
		k.reset(r.name)
		return false
	}
	kind := refKind(r.name)
	if strings.HasPrefix(r.name, keptPrefix) { // what a repair replaced need not be of use
		return false
	}
	if kind == "" {
		k.warn("unknown-ref", r.name, "this version does not know what it is", "")
		return false
	}
	o, err := k.read(r.id)
	switch {
	case err != nil:
		if !k.restored(r.id) {
			k.add("missing-object", r.name, "its checkpoint "+k.title(r.id)+" "+k.why(r.id), "")
			k.stepBack(r.name, r.id)
			return false
		}
		return true // chain tells
	case o.Type != "commit":
		k.add("bad-ref", r.name, "points to a "+o.Type+", not a checkpoint", k.asideCure(r.ref))
		k.reset(r.name)
		return false
	}
	if kind == "local" {
		k.name(r.name)
	}
	rec := Record{ID: r.id}
	if kind != "other" && !rec.parseCommit(o.Data) {
		k.add("bad-format", r.name, "points to "+short(r.id)+", a commit that is no checkpoint", k.asideCure(r.ref))
		k.reset(r.name)
		return false
	}
	return true
}

// asideCure is what to type where nobody remembers what a ref was: it gives what
// is there another name, under which fsck leaves it alone and git keeps it.
func (k *checker) asideCure(r ref) string {
	kept := keptPrefix + "aside/" + strings.TrimPrefix(r.name, "refs/sage/")
	cure := fmt.Sprintf("git update-ref %s %s && git update-ref -d %s %s", kept, short(r.id), r.name, short(r.id))
	if k.known[r.name].id != "" { // and cannot be read
		cure = k.fetchCure() + "; " + cure
	}
	return cure
}

// refKind says what a ref is for: "local" for lines, forks and tags, "tree" for
// the knowledge tree, "other" for what was fetched or is kept by a repair, ""
// if this version does not know.
func refKind(name string) string {
	switch {
	case name == KnowledgeRef:
		return "tree"
	case strings.HasPrefix(name, headsPrefix), strings.HasPrefix(name, forksPrefix), strings.HasPrefix(name, tagsPrefix):
		return "local"
	case strings.HasPrefix(name, remotePrefix), strings.HasPrefix(name, keptPrefix):
		return "other"
	}
	return ""
}

// isAcknowledged reports whether a ref of this name is what we acknowledge: with the
// rest others may do as they like.
func isAcknowledged(name string) bool {
	kind := refKind(name)
	return kind == "local" || kind == "tree"
}

func (k *checker) name(ref string) {
	_, name, _ := strings.Cut(strings.TrimPrefix(ref, "refs/sage/"), "/")
	parts := strings.Split(name, "/")
	for _, part := range parts {
		if err := CheckName(part); err != nil {
			k.add("bad-name", ref, err.Error(), "git sage branch <name> "+short(k.idOf(ref))+" && git update-ref -d '"+ref+"'")
			return
		}
	}
	if most := 1 + strings.Count(ref[len("refs/sage/"):], "forks/"); len(parts) > most {
		k.add("bad-name", ref, "no line, fork or tag has a name of so many parts", "git sage branch <name> "+short(k.idOf(ref))+" && git update-ref -d '"+ref+"'")
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
			k.byName[r.name] = r.id
		}
	}
	return k.byName
}

// nested names refs that stand where the folder of others would be: git can hold
// only one of the two.
func (k *checker) nested() {
	for _, name := range k.wantedRefs() {
		for _, r := range k.refs {
			if strings.HasPrefix(r.name, name+"/") {
				k.add("name-conflict", name, fmt.Sprintf("cannot be, because '%s' is below it", r.name), "git sage branch <name> "+short(r.id)+" && git update-ref -d '"+r.name+"'")
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
func (s *Store) allRefs(ctx context.Context) ([]typedRef, error) {
	out, err := s.git.Run(ctx, "for-each-ref", "--format=%(objectname) %(refname) %(symref)", "refs/sage/")
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	var refs []typedRef
	for l := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), " ")
		if len(f) == 3 {
			refs = append(refs, typedRef{ref{f[1], f[0]}, f[2]})
		}
	}
	return refs, nil
}
