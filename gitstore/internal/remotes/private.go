package remotes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// PrivateLines are the lines that never leave.
func (r *Remotes) PrivateLines() []string { return r.repo.PrivateNames() }

// SetPrivate keeps a line from ever leaving, or lets it leave again. What a remote has of it
// already stays there.
func (r *Remotes) SetPrivate(ctx context.Context, line string, private bool) error {
	if err := refname.CheckName(line); err != nil {
		return err
	}
	if !private && !r.repo.Options.Person {
		return repo.ErrNoSharing
	}
	base := ""
	if private && !slices.Contains(r.PrivateLines(), line) {
		var err error
		if base, err = r.sharedOf(ctx, line); err != nil {
			return err
		}
	}
	err := r.repo.ChangePrivateLines(ctx, func(list []repo.PrivateLine) []repo.PrivateLine {
		at := slices.IndexFunc(list, func(p repo.PrivateLine) bool { return p.Name == line })
		switch {
		case !private && at >= 0:
			list = slices.Delete(list, at, at+1)
		case private && at < 0:
			list = append(list, repo.PrivateLine{Base: base, Name: line})
		}
		return list
	})
	if err != nil {
		return err
	}
	return r.moveNote(ctx, line, private)
}

// moveNote has what is noted of a line lie where all see it, or in this clone alone.
func (r *Remotes) moveNote(ctx context.Context, line string, private bool) error {
	to, subject := contents.NotePath(line), "share the note of a line"
	from := contents.Private(to)
	if private {
		from, to, subject = to, from, "keep the note of a line here"
	}
	b, err := r.contents.ReadFile(ctx, from)
	if errors.Is(err, repo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return r.contents.WriteFiles(ctx, subject, map[string][]byte{to: b, from: nil})
}

// sharedOf is the newest checkpoint of a line that other lines or a remote have as well; 0 is
// none.
func (r *Remotes) sharedOf(ctx context.Context, line string) (string, error) {
	tip, err := r.repo.Tip(ctx, refname.HeadRef(line))
	if err == nil && tip == "" {
		err = fmt.Errorf("there is no line '%s': save on it first", line)
	}
	if err != nil {
		return "", err
	}
	out, err := r.repo.Git.Run(ctx, "rev-list", "--first-parent", "--boundary", tip, "--not",
		"--exclude="+refname.HeadRef(line), "--glob="+refname.HeadsPrefix, "--glob="+refname.RemotePrefix)
	if err != nil {
		return "", fmt.Errorf("look what is on '%s' alone: %w", line, err)
	}
	ids := lines(out)
	if len(ids) == 0 {
		return tip, nil
	}
	if base, ok := strings.CutPrefix(ids[len(ids)-1], "-"); ok {
		return base, nil
	}
	return "0", nil
}

// privates are the checkpoints that must not leave, by id: the line.
type privates map[string]string

// of is why a ref must not leave: a private line was merged into it, or an item of it says that
// it is private.
func (p privates) of(ctx context.Context, r *Remotes, s Sent) error {
	switch {
	case s.Ref == refname.KnowledgeRef:
		return r.privateItems(ctx, s)
	case len(p) == 0:
		return nil
	}
	args := []string{"rev-list", s.New}
	if s.Old != "" {
		args = append(args, "^"+s.Old)
	}
	out, err := r.repo.Git.Run(ctx, args...)
	if err != nil {
		return err
	}
	for _, id := range lines(out) {
		if line, ok := p[id]; ok {
			return remedy.For(fmt.Errorf("it holds %s of the private line '%s'", record.Short(id), line), remedy.Publish.On(line))
		}
	}
	return nil
}

// privateItems refuses a state of the knowledge that has, or had since the remote has it, an
// item whose front matter says "private: true", or what an item said before it was private. What
// some remote has was sent there by others, for nobody here sends such a one: it may go on.
func (r *Remotes) privateItems(ctx context.Context, s Sent) error {
	args := []string{"rev-list", "--objects", "--no-object-names", s.New, "--not", "--glob=" + refname.TrackingRef("*", refname.KnowledgeRef)}
	if s.Old != "" {
		args = append(args, s.Old)
	}
	out, err := r.repo.Git.Run(ctx, args...)
	if err != nil {
		return fmt.Errorf("list what is to be pushed: %w", err)
	}
	found := ""
	err = r.repo.Batch.Each(lines(out), func(_ string, o git.Object, err error) {
		if err == nil && o.Type == "blob" && found == "" && saysPrivate(o.Data) {
			found = o.ID
		}
	})
	switch {
	case err != nil:
		return err
	case found != "":
		path, takeOut := r.itemOf(ctx, s.New, found), remedy.PurgePath
		if o, err := r.contents.FileAt(s.New, path); err != nil || !saysPrivate(o.Data) { // what it says now stays
			takeOut = remedy.PurgePast
		}
		return remedy.For(fmt.Errorf("the item '%s' is private", legible.OneLine(path)), takeOut.On(path).To("takes it out of what is shared"))
	}
	path, err := r.beforePrivate(ctx, s)
	if path != "" {
		takeOut := remedy.PurgePast
		if r.contents.HasFile(s.New, path) && r.contents.HasFile(refname.PrivateRef, contents.Private(path)) {
			takeOut = remedy.PurgePath // the shared one as well
		}
		err = remedy.For(fmt.Errorf("it holds what '%s' said before it was private", legible.OneLine(path)), takeOut.On(path).To("takes that out"))
	}
	return err
}

// beforePrivate is where an item that is private, or was until somebody removed it, lay while it was
// not, if what it said then would leave with a state of the knowledge. That another remote has it
// lets it go only as long as somebody else may have put it there, under the same id. Of one that was
// purged or removed while it was private nobody can let it leave: another item has its path.
func (r *Remotes) beforePrivate(ctx context.Context, s Sent) (path string, err error) {
	tip, err := r.repo.Tip(ctx, refname.PrivateRef)
	if err != nil || tip == "" {
		return "", err
	}
	marks, err := r.rewritten.PrivateMarks(ctx)
	if err != nil {
		return "", err
	}
	private := map[string]bool{} // the paths that it had, and whether it has them
	err = r.eachFile(ctx, func(file string, there bool) {
		if _, known := private[contents.Public(file)]; !known && contents.IsItemPath(file) {
			private[contents.Public(file)] = there
		}
	}, tip)
	if err != nil {
		return "", fmt.Errorf("list private items: %w", err)
	}
	states := []string{s.New}
	if s.Old != "" {
		states = append(states, "^"+s.Old)
	}
	said, went, before := map[string]bool{}, map[string]bool{}, map[string]bool{} // before it was taken out
	err = r.eachFile(ctx, func(file string, there bool) {
		_, ok := private[file]
		if ok || len(marks) > 0 && marks[r.rewritten.PrivateMark(file)] {
			before[file] = before[file] || there && went[file]
			said[file], went[file] = said[file] || there, went[file] || !there
		}
	}, states...)
	var both []string // of the same id in either half, and as far as is seen here never taken out of this one
	for _, file := range slices.Sorted(maps.Keys(said)) {
		switch isShared := r.contents.HasFile(s.New, file); {
		case !said[file]:
		case isShared && !private[file] && !(before[file] && marks[r.rewritten.PrivateMark(file)]): // a person let it leave
		case !isShared, went[file]:
			return file, err
		default:
			both = append(both, file)
		}
	}
	if err == nil && len(both) > 0 {
		err = r.eachFile(ctx, func(file string, there bool) {
			if there && path == "" && slices.Contains(both, file) {
				path = file
			}
		}, append(states, "--not", "--glob="+refname.RemotePrefix+"*")...)
	}
	if err != nil {
		return "", fmt.Errorf("look what items said before they were private: %w", err)
	}
	return path, nil
}

// eachFile calls f with each file that commits of the knowledge changed, newest commits first, and
// whether they left one there. Joins say nothing that those they join do not.
func (r *Remotes) eachFile(ctx context.Context, f func(file string, there bool), states ...string) error {
	zero, after := r.repo.Objects.Zero(), ""
	return r.repo.Git.Records(ctx, func(b []byte) bool { // ":<mode> <mode> <old> <new> <letter>", then the path
		if said := strings.Fields(string(b)); strings.HasPrefix(string(b), ":") && len(said) == 5 {
			after = said[3]
		} else if len(b) > 0 {
			f(string(b), after != zero)
		}
		return true
	}, append([]string{"log", "--topo-order", "--no-merges", "--raw", "--no-abbrev", "--no-renames", "--root", "--no-follow", "--no-relative", "--no-show-signature", "--no-color",
		"--no-notes", "--no-decorate", "--format=", "-z"}, states...)...)
}

// saysPrivate reports whether the front matter of an item says so, in any way that YAML has to say
// it. One that cannot be read says so if it holds the word.
func saysPrivate(b []byte) bool {
	it, err := codec.ParseItem(b)
	if err == nil {
		return it.IsPrivate()
	}
	text, err := codec.Readable(b)
	if err != nil {
		text = string(b)
	}
	head, _, ok := codec.SplitFrontMatter(text)
	return ok && strings.Contains(strings.ToLower(head), "private")
}

// itemOf is the path that a file has or had in the history of a state of the knowledge, or its id.
func (r *Remotes) itemOf(ctx context.Context, tip, blob string) string {
	out, _ := r.repo.Git.Run(ctx, "ls-tree", "-r", "-z", tip)
	for l := range strings.SplitSeq(string(out), "\x00") {
		if about, path, ok := strings.Cut(l, "\t"); ok && strings.HasSuffix(about, " "+blob) {
			return path
		}
	}
	out, _ = r.repo.Git.Run(ctx, "log", "--max-count=1", "--format=", "--name-only", "--no-renames", "--no-merges", "--no-show-signature", "-z", "--find-object="+blob, tip)
	if path := strings.Trim(string(out), "\x00\n"); path != "" && !strings.Contains(path, "\x00") {
		return path
	}
	return record.Short(blob)
}
