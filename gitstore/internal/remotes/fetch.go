package remotes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// An Arrived is what a fetch changed of what is known of a remote.
type Arrived struct {
	Changed bool     // a ref came, moved or went
	Gone    []string // our names of refs that the remote does not have any more: ours stay
	Has     int      // refs that it has
	Notes   []remedy.Note
	ours    []refname.Ref     // what there was behind it, as [Remotes.refs] says it,
	theirs  map[string]string // for who goes on; nil where somebody has to look
}

// underSage and underBranch are where a remote has the memory: some hosts take nothing but
// branches and tags.
const (
	underSage   = "refs/sage/"
	underBranch = "refs/heads/git-sage/"
)

// kinds are what is fetched of a memory, as ends of refspecs. refs/sage/* would bring along what
// the remote itself fetched.
var kinds = []string{"heads/*", "forks/*", "tags/*", "knowledge*"}

// Fetch brings what a remote has into refs/sage/remotes/<name>/, where a merge finds it.
func (r *Remotes) Fetch(ctx context.Context, name string, w Way) (Arrived, error) {
	ctx, done := r.alone(ctx, &w)
	defer done()
	if err := r.Check(ctx, name); err != nil {
		return Arrived{}, err
	}
	if r.Sealed(name) {
		return r.fetchSealed(ctx, w, name)
	}
	c := r.agreed(name)
	got, err := r.fetch(ctx, w, name, c.Branch)
	if err != nil || got.Has > 0 || c.Branch {
		return got, err
	}
	// It may be that it takes no more than branches.
	there, err := r.fetch(ctx, w, name, true)
	if err == nil && there.Has > 0 {
		there.Gone = nil
		return there, r.say(name, func(c *agreement) { c.Branch = true })
	}
	return got, nil
}

func (r *Remotes) fetch(ctx context.Context, w Way, name string, branch bool) (got Arrived, err error) {
	_, before, err := r.refs(ctx, name)
	if err != nil {
		return got, err
	}
	args := []string{"fetch", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules", "--no-show-forced-updates", "--refmap=", "--prune", "--upload-pack=git-upload-pack"}
	if r.repo.Promisor() != "" { // else it would leave out files of the memory as well
		args = append(args, "--no-filter")
	}
	args = append(args, "--progress", "--end-of-options", name) // by which it is known to go on
	args = append(args, refspecs(name, branch)...)
	_, err = r.talk(ctx, w, name, nil, args...)
	var e *git.Error
	if errors.As(err, &e) && strings.HasPrefix(e.BadRef(), refname.RemotePrefix+name+"/") {
		if err = r.forgetBroken(ctx, name); err == nil {
			_, err = r.talk(ctx, w, name, nil, args...)
		}
	} else if errors.As(err, &e) && strings.HasPrefix(e.BadRef(), underSage) {
		err = remedy.For(err, remedy.Repair.On().To("repairs it"))
	}
	if err != nil {
		return got, err
	}
	if got.ours, got.theirs, err = r.refs(ctx, name); err != nil {
		return got, err
	}
	got.Has, got.Changed = len(got.theirs), !maps.Equal(before, got.theirs)
	for ref := range before {
		if got.theirs[ref] == "" {
			got.Gone = append(got.Gone, ref)
		}
	}
	slices.Sort(got.Gone)
	return got, nil
}

// refspecs say where what a remote has is kept.
func refspecs(name string, branch bool) []string {
	from := backup.NotesRef
	if branch {
		from = underBranch + "notes"
	}
	specs := []string{"+" + from + "*:" + refname.RemotePrefix + name + "/notes*"}
	for _, kind := range kinds {
		specs = append(specs, "+"+under(branch)+kind+":"+refname.RemotePrefix+name+"/"+kind)
	}
	return specs
}

// forgetBroken removes what is known of a remote where it names no object, as a power cut leaves
// it: git fetches nothing beside that, and finds it all again.
func (r *Remotes) forgetBroken(ctx context.Context, name string) error {
	for _, file := range fsx.FilesBelow(filepath.Join(r.repo.Where.CommonDir, filepath.FromSlash(refname.RemotePrefix+name))) {
		b, err := fsx.ReadSmall(file)
		if err == nil && !strings.HasSuffix(file, ".lock") && !rewritten.IsID(git.Text(b)) {
			err = fsx.Remove(file)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what was known of '%s': %w", legible.OneLine(name), err)
		}
	}
	_, theirs, err := r.refs(ctx, name)
	if err != nil {
		return err
	}
	var in strings.Builder
	err = r.repo.Batch.Each(slices.Sorted(maps.Values(theirs)), func(id string, _ git.Object, err error) {
		for ref := range theirs {
			if err != nil && theirs[ref] == id {
				fmt.Fprintf(&in, "delete %s\n", refname.TrackingRef(name, ref))
				delete(theirs, ref)
			}
		}
	})
	if err == nil && in.Len() > 0 {
		_, err = r.repo.Git.Feed(ctx, []byte(in.String()), "update-ref", "--stdin")
	}
	return err
}

func under(branch bool) string {
	if branch {
		return underBranch
	}
	return underSage
}

// A Waiting is what a remote has and this memory has not.
type Waiting struct {
	Remote      string
	Checkpoints int
	Knowledge   bool // its knowledge says something else
	Refs        int  // that it has
}

// Waiting tells what was fetched from a remote and is not taken in. It asks nobody.
func (r *Remotes) Waiting(ctx context.Context, name string) (w Waiting, err error) {
	ours, theirs, err := r.refs(ctx, name)
	delete(theirs, notes.TrackedAs)
	w.Remote, w.Refs = name, len(theirs)
	if err != nil || len(theirs) == 0 {
		return w, err
	}
	var in strings.Builder
	differ := false
	for _, ref := range ours {
		switch {
		case theirs[ref.Name] == ref.ID:
			delete(theirs, ref.Name)
		case ref.Name == refname.KnowledgeRef:
			w.Knowledge = theirs[ref.Name] != "" && !r.commits.IsAncestor(ctx, theirs[ref.Name], ref.ID)
		}
		if ref.Name != refname.KnowledgeRef && ref.Name != notes.TrackedAs {
			in.WriteString("^" + ref.ID + "\n")
		}
	}
	if id := theirs[refname.KnowledgeRef]; id != "" && !slices.ContainsFunc(ours, func(o refname.Ref) bool { return o.Name == refname.KnowledgeRef }) {
		w.Knowledge = true
	}
	for ref, id := range theirs {
		if ref != refname.KnowledgeRef && !strings.HasPrefix(ref, refname.TagsPrefix) {
			in.WriteString(id + "\n")
			differ = true
		}
	}
	if !differ {
		return w, nil
	}
	out, err := r.repo.Git.Feed(ctx, []byte(in.String()), "rev-list", "--count", "--ignore-missing", "--stdin")
	w.Checkpoints, _ = strconv.Atoi(git.Text(out))
	return w, err
}
