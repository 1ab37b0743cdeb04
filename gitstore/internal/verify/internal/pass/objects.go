package pass

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/objects"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// Objects reads objects, and says what is wrong with those that cannot be read.
type Objects struct {
	Logs
	ctx    context.Context
	found  *Findings
	spare  backup.Spare          // where else objects may be
	packs  map[string]bool       // damaged packs that were named
	files  map[string]bool       // objects that lie loose
	Warmed map[string]git.Object // commits and trees that were just read and found good
}

// Read reads an object of the repository and makes sure that it is the one that
// its id stands for: git looks at the form of a loose object only.
func (ob *Objects) Read(id string) (git.Object, error) {
	if o, ok := ob.Warmed[id]; ok {
		return o, nil
	}
	o, err := ob.repo.Object(id)
	if err != nil {
		return o, err
	}
	if ob.repo.Objects.New(o.Type, o.Data).ID != id || ob.Trails(id) {
		return git.Object{}, objects.ErrOtherBytes
	}
	return o, nil
}

// Trails reports whether a loose object has bytes behind its end. Git reads it in bulk, and
// fails to read or to pack it alone.
func (ob *Objects) Trails(id string) bool {
	if !ob.files[id] {
		return false
	}
	_, trails, ok := ob.repo.Objects.Salvage(id)
	return ok && trails
}

// Elsewhere reads an object of the backup, or of the clone that was named, or what its
// damaged file has of it before further bytes.
func (ob *Objects) Elsewhere(id string) (git.Object, error) {
	o, err := ob.spare.Get(id)
	if err == nil {
		return o, nil
	}
	if o, _, ok := ob.repo.Objects.Salvage(id); ok {
		return git.Object(o), nil
	}
	return o, err
}

// Anywhere reads an object of the repository, or one that a repair could bring.
func (ob *Objects) Anywhere(id string) (git.Object, error) {
	if !ob.IsID(id) {
		return git.Object{}, git.ErrMissing
	}
	if o, err := ob.Read(id); err == nil {
		return o, nil
	}
	return ob.Elsewhere(id)
}

// Restorable reports whether a repair can bring the object from elsewhere.
func (ob *Objects) Restorable(id string) bool {
	_, err := ob.Elsewhere(id)
	return err == nil
}

// Need reads an object that the commit owner needs, what for in words. One
// that cannot be read is a finding, unless history ends there on purpose; if it
// lies elsewhere it is returned all the same, and a repair brings it.
func (ob *Objects) Need(id, owner, what string) (git.Object, bool) {
	o, err := ob.Read(id)
	if err == nil {
		return o, true
	}
	ob.found.Bad[owner] = true
	if owner != id {
		what = ob.partOf(owner, what)
	}
	kind := "missing-object"
	if _, there := ob.loose(id); there {
		kind = "damaged-object"
	}
	if remote := ob.repo.Promisor(); remote != "" {
		ob.found.Warn(kind, record.Short(owner), what+" was not fetched (partial clone)", remedy.Typed(ob.repo.RefetchCommand(remote)))
		return o, false
	}
	ob.found.Add(kind, record.Short(owner), what+" "+ob.Why(id), FetchCure())
	ob.found.Last().ID = owner
	if o, err = ob.Elsewhere(id); err == nil {
		ob.found.Mend(&fixes.Object{ID: id, Owner: owner, From: cmp.Or(ob.spare.Of(id), "its own file")})
	}
	return o, err == nil
}

// FetchCure is what to do where no copy is at hand.
func FetchCure() remedy.Remedy {
	return remedy.RepairFrom.On().To("restores it from a clone")
}

// Why says what is wrong with an object that cannot be read.
func (ob *Objects) Why(id string) string {
	st, there := ob.loose(id)
	switch {
	case there && st.Size() == 0:
		return "is empty (object " + record.Short(id) + "), as after a power cut"
	case there && st.IsDir():
		return "is a folder (object " + record.Short(id) + ")"
	case there && !readable(ob.repo.ObjectFile(id)):
		return "is not readable by you (object " + record.Short(id) + ")"
	case there:
		return "is damaged (object " + record.Short(id) + ")"
	}
	if ob.packTrouble(id) {
		return "is in a damaged pack (object " + record.Short(id) + ")"
	}
	return "is gone (object " + record.Short(id) + ")"
}

func (ob *Objects) loose(id string) (os.FileInfo, bool) {
	st, err := fsx.Lstat(ob.repo.ObjectFile(id))
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

// NamePack notes that a damaged pack was named already.
func (ob *Objects) NamePack(name string) { ob.packs[name] = true }

// IsGone reports whether an object is nowhere: none that is only damaged or in a damaged
// pack, which may be read again.
func (ob *Objects) IsGone(id string) bool {
	_, there := ob.loose(id)
	return !there && !ob.packTrouble(id)
}

// packTrouble asks git why an object cannot be read, and names the pack that it
// blames, once.
func (ob *Objects) packTrouble(id string) bool {
	if len(ob.packs) >= maxAsked {
		return true
	}
	_, err := ob.repo.Git.Run(ob.ctx, "cat-file", "-p", id)
	var e *git.Error
	errors.As(err, &e)
	name, why, ok := e.BlamedPack()
	if ok && !ob.packs[name] {
		ob.packs[name] = true
		ob.found.Add("damaged-pack", name, why, remedy.Typed("'git fsck --full' lists what it held; keep the file"), remedy.RepairFrom.On().To("restores its objects"))
	}
	return ok
}

// partOf names something of a commit, behind the description of that.
func (ob *Objects) partOf(id, what string) string {
	if _, about, ok := strings.Cut(ob.Title(id), " "); ok {
		return about + ": " + what
	}
	return what
}

// Title names a commit of ours: its short id, and its description if it can be
// read.
func (ob *Objects) Title(id string) string {
	o, err := ob.repo.Object(id)
	if err != nil {
		o, err = ob.Elsewhere(id)
	}
	r := record.Record{ID: id}
	if err != nil || o.Type != "commit" || !r.ParseCommit(o.Data) {
		r.Description = ob.Logged(id).About
	}
	if r.Description == "" {
		return record.Short(id)
	}
	return record.Short(id) + " '" + cut.Runes(legible.OneLine(strings.TrimSpace(r.Description)), 60) + "'"
}
