package verify

import (
	"errors"
	"os"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// read reads an object of the repository and makes sure that it is the one that
// its id stands for: git looks at the form of a loose object only.
func (k *checker) read(id string) (git.Object, error) {
	if o, ok := k.warmed[id]; ok {
		return o, nil
	}
	o, err := k.s.repo.Object(id)
	if err != nil {
		return o, err
	}
	if k.s.repo.Objects.New(o.Type, o.Data).ID != id {
		return git.Object{}, repo.ErrOtherBytes
	}
	return o, nil
}

// anywhere reads an object of the repository, or one that a repair could bring.
func (k *checker) anywhere(id string) (git.Object, error) {
	if !k.isID(id) {
		return git.Object{}, git.ErrMissing
	}
	if o, err := k.read(id); err == nil {
		return o, nil
	}
	return k.spare.Get(id)
}

// restored reports whether a repair can bring the object from elsewhere.
func (k *checker) restored(id string) bool {
	_, err := k.spare.Get(id)
	return err == nil
}

// need reads an object that the commit owner needs, what for in words. One
// that cannot be read is a finding, unless history ends there on purpose; if it
// lies elsewhere it is returned all the same, and a repair brings it.
func (k *checker) need(id, owner, what string) (git.Object, bool) {
	o, err := k.read(id)
	if err == nil {
		return o, true
	}
	k.bad[owner] = true
	if owner != id {
		what = k.its(owner, what)
	}
	kind := "missing-object"
	if _, there := k.loose(id); there {
		kind = "damaged-object"
	}
	if remote := k.s.repo.Promisor(); remote != "" {
		k.warn(kind, record.Short(owner), what+" was not fetched (partial clone)", k.s.repo.RefetchCommand(remote))
		return o, false
	}
	k.add(kind, record.Short(owner), what+" "+k.why(id), k.fetchCure())
	k.Report.Findings[len(k.Report.Findings)-1].ID = owner
	if o, err = k.spare.Get(id); err == nil {
		k.mend(&bringFix{id: id, owner: owner, from: k.spare.Of(id)})
	}
	return o, err == nil
}

// fetchCure is what to type where no copy is at hand.
func (k *checker) fetchCure() string {
	return "'git sage fsck --repair --from <clone>' restores it from a clone"
}

// why says what is wrong with an object that cannot be read.
func (k *checker) why(id string) string {
	st, there := k.loose(id)
	switch {
	case there && st.Size() == 0:
		return "is empty (object " + record.Short(id) + "), as after a power cut"
	case there && !readable(k.s.repo.ObjectFile(id)):
		return "is not readable by you (object " + record.Short(id) + ")"
	case there:
		return "is damaged (object " + record.Short(id) + ")"
	}
	if k.packTrouble(id) {
		return "is in a damaged pack (object " + record.Short(id) + ")"
	}
	return "is gone (object " + record.Short(id) + ")"
}

func (k *checker) loose(id string) (os.FileInfo, bool) {
	st, err := fsx.Lstat(k.s.repo.ObjectFile(id))
	return st, err == nil
}

func readable(file string) bool {
	f, err := fsx.Open(file)
	if err != nil {
		return !errors.Is(err, os.ErrPermission)
	}
	_ = f.Close()
	return true
}

// maxAsked bounds how often git is asked what is wrong with a pack.
const maxAsked = 3

// packTrouble asks git why an object cannot be read, and names the pack that it
// blames, once.
func (k *checker) packTrouble(id string) bool {
	if len(k.packs) >= maxAsked {
		return true
	}
	_, err := k.s.repo.Git.Run(k.ctx, "cat-file", "-p", id)
	var e *git.Error
	if !errors.As(err, &e) {
		return false
	}
	for line := range strings.Lines(e.Stderr) {
		_, rest, ok := strings.Cut(line, "pack-")
		if !ok {
			continue
		}
		hash, _, _ := strings.Cut(rest, ".")
		if len(hash) < 40 || !record.IsHex(hash[:40]) {
			continue
		}
		name := "pack-" + hash
		if !k.packs[name] {
			k.packs[name] = true
			k.add("damaged-pack", name, oneLineOf(line), "'git fsck --full' lists what it held; keep the file and restore its objects with 'git sage fsck --repair --from <clone>'")
		}
		return true
	}
	return false
}

// oneLineOf is what git said, without its first word.
func oneLineOf(line string) string {
	line = strings.TrimSpace(line)
	for _, p := range []string{"error: ", "fatal: ", "warning: "} {
		line = strings.TrimPrefix(line, p)
	}
	return line
}
