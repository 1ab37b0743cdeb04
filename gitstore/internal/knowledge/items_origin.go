package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
)

// An ItemOrigin says who wrote an item as it is.
type ItemOrigin struct {
	ItemAuthor
	Own bool // this user wrote here what it says, or stands for it; all else came from elsewhere, whoever it names
}

// An ItemAuthor is who wrote an item as it is, which anybody can claim to be.
type ItemAuthor struct {
	Commit    string
	Author    string // "Name <mail>"
	Time      time.Time
	Here      bool   // it was this user, here
	Elsewhere string // "Name <mail>" of who wrote, elsewhere, what was changed here since; "" is nobody
	Versions  string // who wrote the versions that a merge brought together, as in Name; "" if none did
}

// What stands before each of several people in [ItemAuthor.Name]. No author of a commit has a
// line end.
const (
	AuthorHere  = "\nhere "  // who works here
	AuthorThere = "\nthere " // who wrote a version elsewhere
	AuthorFirst = "\nfirst " // who wrote, elsewhere, what somebody here changed since
)

// Name says whose an item is that nobody here stands for: one author, or several, each behind
// what they have to do with it.
func (a ItemAuthor) Name() string {
	switch {
	case a.Versions != "":
		return a.Versions
	case a.Elsewhere != "":
		return AuthorHere + a.Author + AuthorFirst + a.Elsewhere
	}
	return a.Author
}

// Elsewheres are those who wrote it elsewhere, all or a part.
func (a ItemAuthor) Elsewheres() (names []string) {
	switch {
	case a.Elsewhere != "":
		return []string{a.Elsewhere}
	case a.Versions == "" && !a.Here:
		return []string{a.Author}
	}
	for l := range strings.Lines(a.Versions) {
		if name, ok := strings.CutPrefix("\n"+strings.TrimSuffix(l, "\n"), AuthorThere); ok {
			names = append(names, name)
		}
	}
	return names
}

// wrote adds to the versions of a the one that at wrote; who works here comes first.
func (a *ItemAuthor) wrote(at ItemAuthor) {
	one := AuthorThere + at.Author
	if at.Here {
		one = AuthorHere + at.Author
	}
	switch {
	case strings.Contains(a.Versions+"\n", one+"\n"):
	case at.Here:
		a.Versions = one + a.Versions
	default:
		a.Versions += one
	}
}

// ItemAuthors are the authors of the items that were written since the knowledge went from the
// state old ("" is ever) to tip ("" is now), by key. It is for whoever keeps them
// beside what it derives from items, see [Collection.ItemsSince]: it walks over the commits
// between, some 40 µs each; of one commit that changed items of knowledge it asks no
// git. What two sides made in a merge is of the merge.
func (kn *archive) ItemAuthors(ctx context.Context, old, tip string) (map[string]ItemAuthor, error) {
	out := map[string]ItemAuthor{}
	var err error
	if tip == "" {
		tip, err = kn.history.StateTip(ctx)
	}
	if err != nil {
		return out, err
	}
	for _, dir := range []string{contents.ItemsDir, contents.Private(contents.ItemsDir)} { // the private one counts
		if err := kn.authorsIn(ctx, out, dir, contents.Half(old, dir), contents.Half(tip, dir)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// authorsIn adds the authors of the items of one half, from one commit of it to another.
func (kn *archive) authorsIn(ctx context.Context, out map[string]ItemAuthor, dir, old, tip string) error {
	if tip == "" || tip == old {
		return nil
	}
	state := func(commit string) string {
		if contents.IsPrivate(dir) {
			return refname.State("", commit)
		}
		return commit
	}
	was, err := kn.shards(state(old))
	if err != nil {
		return err
	}
	now, err := kn.shards(state(tip))
	if err != nil {
		return err
	}
	changed, removed, err := kn.changedItems(was, now)
	if err == nil && !contents.IsPrivate(dir) { // nobody elsewhere removes what is private
		changed, err = kn.addRemovals(changed, removed, old)
	}
	if err != nil || kn.lastItems(out, old, tip, changed) {
		return err
	}
	revs := tip
	if old != "" {
		revs = old + ".." + tip
	}
	if err := kn.logAuthors(ctx, out, revs, changed, dir); err != nil {
		return err
	}
	for _, f := range changed { // what a merge took up again, or brought together, was written before
		if by := out[ItemKey(f.Name)]; (by.Commit == "" || by.Author == identity.Nobody.String()) && old != "" {
			delete(out, ItemKey(f.Name))
			if err := kn.logAuthors(ctx, out, tip, []gittree.Entry{f}, f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// addRemovals adds the items to those that changed since an old state that somebody elsewhere
// removed, as files of nothing.
func (kn *archive) addRemovals(changed []gittree.Entry, removed []string, old string) ([]gittree.Entry, error) {
	gone, err := kn.removalsSince(old, changed, removed)
	for _, f := range gone {
		changed = append(changed, gittree.Entry{Mode: f.Mode, Name: f.Name, ID: kn.repo.Objects.Zero()})
	}
	return changed, err
}

// ItemOrigin is the origin of one item. It is a [NoItemError] if there is none of that
// key.
func (kn *archive) ItemOrigin(ctx context.Context, key string) (ItemOrigin, error) {
	e, err := kn.Item(ctx, key)
	if err != nil {
		return ItemOrigin{}, err
	}
	by, err := kn.AuthorOf(ctx, e)
	return ItemOrigin{by, kn.IsOwnItem(e)}, err
}

// AuthorOf is who wrote an item as it is in e, which may be an older version, or who removed
// it.
func (kn *archive) AuthorOf(ctx context.Context, e ItemEntry) (ItemAuthor, error) {
	out, blob := map[string]ItemAuthor{}, e.Blob
	if e.IsRemoved() {
		blob = kn.repo.Objects.Zero()
	}
	err := kn.logAuthors(ctx, out, contents.Half(kn.history.State(), e.Path), []gittree.Entry{{Mode: gittree.ModeFile, Name: e.Path, ID: blob}}, e.Path)
	return out[e.Key], err
}

// ShelfAuthors are the authors of what stands beside the items, by key: of the pinned
// notes ("system"), or of the skills and their texts ("skills"). Git walks over all of
// history for them, so that they are kept until something changes there.
func (kn *archive) ShelfAuthors(ctx context.Context, shelf string) (map[string]ItemAuthor, error) {
	at := kn.history.Knowledge()
	o, err := kn.repo.Object(at + ":" + shelf)
	if errors.Is(err, git.ErrMissing) || err == nil && o.Type != "tree" {
		o, err = git.Object{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the author of '%s': %w", shelf, err)
	}
	files := kn.below(shelf, gittree.Parse(o.Data, kn.repo.IDSize()), 0)
	of := o.ID
	for _, f := range kn.Removals(kn.ownership.Versions(), files, func(key string) bool { return strings.HasPrefix(key, shelf+"/") }) {
		files = append(files, gittree.Entry{Mode: f.Mode, Name: f.Name, ID: kn.repo.Objects.Zero()})
		of += " " + f.Name
	}
	if len(files) == 0 {
		return nil, nil
	}
	file := kn.repo.Dir("cache", "authors-"+shelf+".json")
	kept := struct {
		Tree    string
		Authors map[string]ItemAuthor
	}{}
	if b, err := fsx.ReadOwn(file); err == nil && json.Unmarshal(b, &kept) == nil && kept.Tree == of {
		return kept.Authors, nil
	}
	kept.Tree, kept.Authors = of, map[string]ItemAuthor{}
	if err := kn.logAuthors(ctx, kept.Authors, at, files, shelf); err != nil {
		return nil, err
	}
	if b, err := json.Marshal(kept); err == nil {
		_ = fsx.WriteDerived(file, b, 0o644) // else they are looked for again
	}
	return kept.Authors, nil
}

// below are the files in a folder and those in it.
func (kn *reader) below(dir string, entries []gittree.Entry, depth int) (files []gittree.Entry) {
	for _, e := range entries {
		name := dir + "/" + e.Name
		if e.Mode != gittree.ModeDir {
			files = append(files, gittree.Entry{Mode: e.Mode, Name: name, ID: e.ID})
		} else if inner, err := kn.contents.ItemFolder(e.ID); err == nil && depth < contents.MaxDepth {
			files = append(files, kn.below(name, inner, depth+1)...)
		}
	}
	return files
}

// logAuthors fills in the authors of files, as they are: of each the newest commit behind
// revs that wrote this very content. Behind those made here it goes on to what they
// changed, for who wrote that elsewhere, and behind a merge of versions to those who wrote
// them. Whoever else changed a file, on another side of a merge, has no part in what it says.
func (kn *archive) logAuthors(ctx context.Context, out map[string]ItemAuthor, revs string, files []gittree.Entry, paths ...string) error {
	wanted := map[string]map[string]bool{} // by path: the contents whose authors are asked for
	merged := map[string]bool{}            // by key: a merge brought versions together
	newest := map[string]string{}          // by key: what it is now
	for _, f := range files {
		wanted[f.Name] = map[string]bool{f.ID: true}
	}
	made, begun := kn.ownership.MadeByMe(), kn.ownership.BegunIDs()
	b, err := kn.repo.Git.Run(ctx, append([]string{"log", "--topo-order", "-c", "--raw", "--no-abbrev", "--no-renames", "--root", "--no-follow", "--no-relative", "--no-show-signature", "--no-color", "--encoding=none", "--no-notes", "--no-decorate",
		"--format=%x01%H%x1f%an%x1f%ae%x1f%at", "--end-of-options", revs, "--"}, paths...)...)
	if err != nil {
		return fmt.Errorf("find the authors of items: %w", commits.LogError(err))
	}
	var at ItemAuthor
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if head, ok := strings.CutPrefix(l, "\x01"); ok {
			f := strings.SplitN(head, "\x1f", 4)
			at = ItemAuthor{Commit: f[0], Author: identity.Person{Name: f[1], Mail: f[2]}.String(), Time: record.Unix(f[3])}
			at.Here = made.Has(f[0]) || begun.Has(f[0])
			continue
		}
		change, path, _ := strings.Cut(l, "\t") // a colon, a mode and a content for each parent, and what became
		f, n := strings.Fields(change), 0
		for ; n < len(change) && change[n] == ':'; n++ {
		}
		if n == 0 || len(f) < 2*n+2 || !wanted[path][f[2*n+1]] || !contents.IsItemPath(path) {
			continue
		}
		key, was, now := ItemKey(path), f[n+1:2*n+1], f[2*n+1]
		delete(wanted[path], now)
		isMerge := n > 1 && at.Author == identity.Nobody.String() && kn.areVersionsOf(path, now, was)
		known, ok := out[key]
		switch {
		case !ok:
			known, merged[key], newest[key] = at, isMerge, now
		case isMerge:
			merged[key] = true
		case merged[key]:
			known.wrote(at)
		case !at.Here && kn.saysSame(path, now, newest[key]): // of keywords, links and the like nobody is the author
			known = at
		case !at.Here:
			known.Elsewhere = at.Author
		}
		if out[key] = known; at.Here || isMerge {
			for _, id := range was { // what it was made of, also if it was removed in between
				wanted[path][id] = true
			}
		}
	}
	for path, left := range wanted {
		delete(left, kn.repo.Objects.Zero())                    // where it began
		if key := ItemKey(path); merged[key] && len(left) > 0 { // behind where a shallow clone ends
			known := out[key]
			known.wrote(ItemAuthor{Author: "somebody"})
			out[key] = known
		}
	}
	return nil
}

// saysSame reports whether two versions of an item have the same text.
func (kn *archive) saysSame(path, id, other string) bool {
	a, err := kn.repo.Object(id)
	if err != nil {
		return false
	}
	b, err := kn.repo.Object(other)
	if err != nil {
		return false
	}
	one, two := ReadItem(path, a), ReadItem(path, b)
	return one.Err == nil && two.Err == nil && one.Item.Content == two.Item.Content
}

// areVersionsOf reports whether all that a merge made of a file stands in one of the versions that
// it was made of: whoever adds to them in a merge is an author as well, and can use any name.
func (kn *archive) areVersionsOf(path, now string, was []string) bool {
	said := map[string]bool{}
	for _, id := range was {
		for _, text := range kn.textsOf(path, id) {
			said[text] = true
		}
	}
	texts := kn.textsOf(path, now)
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(s string) bool { return !said[s] })
}

// textsOf are the texts of a version of an item, of what disagrees in it each.
func (kn *archive) textsOf(path, id string) (texts []string) {
	o, err := kn.repo.Object(id)
	if err != nil || o.Type != "blob" {
		return nil
	}
	e := ReadItem(path, o)
	if e.Err != nil {
		return nil
	}
	_ = e.Item.Clone().MapText(func(s string) (string, error) {
		for _, v := range versions.Split(s) {
			texts = append(texts, strings.TrimSpace(v))
		}
		return s, nil
	})
	return texts
}

// lastItems fills in the authors of what the one commit between old and tip changed; false
// if there are several, or it changed other things than items of knowledge, or it was made
// here and touched what came from elsewhere.
func (kn *archive) lastItems(out map[string]ItemAuthor, old, tip string, changed []gittree.Entry) bool {
	r, err := kn.commits.CommitRecord(tip)
	if err != nil || len(r.Parents) != 1 || r.Parents[0] != old {
		return false
	}
	for _, f := range changed {
		if r.Own {
			o, err := kn.repo.Object(f.ID)
			if err != nil || !kn.IsOwnItem(kn.published(ReadItem(f.Name, o))[0]) {
				return false
			}
		}
	}
	for _, f := range changed {
		out[ItemKey(f.Name)] = ItemAuthor{Commit: tip, Author: identity.Person{Name: r.Author, Mail: r.Email}.String(), Time: r.Time, Here: r.Own}
	}
	return len(changed) > 0
}
