package gitstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Whose a text is, is told by what it says. Its sum is noted where this user writes it or
// stands for it, so that it stays theirs wherever a merge or a purge takes it, and that
// nothing becomes theirs for having been touched here: a link, a tag, a status, a scope are
// no part of it. Those are part of the version that they left, see versions.go.

// sumSize is how many digits a sum has.
const sumSize = 2 * sha256.Size

// sumOf is the sum of what an item of a key says: all that is text, but for what only
// says where it belongs and whether it holds, in the words that there are for that. With
// always it says as well that it is to be given with every prompt.
func sumOf(key string, it *sage.Item, always bool) string {
	s := summer{sha256.New()}
	s.add("item", key, string(it.Type), it.Description, it.Source, it.Reason, it.Approach, it.WhyFailed, it.Learned, it.Content)
	s.unless(isPlainName, it.Replacement)
	s.unless(func(w string) bool { return slices.Contains(sage.ItemWords("status"), w) }, string(it.Status))
	s.unless(isHandle, it.Keywords...)
	s.unless(isHandle, it.Patterns...)
	s.unless(isHandle, it.When...)
	s.unless(isHandle, it.Scope.Paths...)
	s.unless(isPlainName, it.Scope.Skills...)
	for _, l := range it.Links {
		s.unless(isHandle, string(l.Kind))
		s.unless(isPlainName, l.To)
	}
	for _, r := range it.CodeRefs {
		s.add("ref", r.File, fmt.Sprint(r.Lines), r.Symbol, r.Snippet, r.Relevance)
	}
	if len(it.Extra)+len(it.Scope.Extra)+len(it.Variants) > 0 {
		more := sage.Item{Extra: it.Extra, Variants: it.Variants, Scope: sage.Scope{Extra: it.Scope.Extra}}
		s.add("more", string(more.Marshal()))
	}
	if always {
		s.add("always")
	}
	return s.hex()
}

// sumOfCore is the sum of what is said of a core file.
func sumOfCore(file, summary string) string {
	s := summer{sha256.New()}
	s.add("core", file, summary)
	return s.hex()
}

// A summer sums up texts, each with its length.
type summer struct{ hash.Hash }

func (s summer) add(texts ...string) {
	var n [8]byte
	for _, t := range texts {
		binary.BigEndian.PutUint64(n[:], uint64(len(t)))
		s.Write(n[:])
		s.Write([]byte(t))
	}
}

// unless adds the texts that are not plain, and that are some.
func (s summer) unless(plain func(string) bool, texts ...string) {
	for _, t := range texts {
		if t != "" && !plain(t) {
			s.add("+", t)
		}
	}
}

func (s summer) hex() string { return hex.EncodeToString(s.Sum(nil)) }

func isPlainName(s string) bool { return sage.NameProblem(s) == "" }

// isHandle reports whether a keyword, a pattern or a path is short enough to bring an item
// back and not to say anything.
func isHandle(s string) bool {
	return utf8.RuneCountInString(s) <= 60 && len(strings.Fields(s)) <= 5
}

// IsOwnItem reports whether an item is as this user left it, or they stand for it as it is.
// An older version is their own if they wrote what it says.
func (s *Store) IsOwnItem(e ItemEntry) bool {
	if e.Err != nil || e.Item == nil || e.Changed != nil {
		return false
	}
	if s.o.Global {
		return true
	}
	v := s.versions()
	if v == nil || e.Old {
		return s.Vouched(sumOf(e.Key, e.Item, false))
	}
	_, own := s.asLeft(v, e)
	return own
}

// SaysOwn reports whether what an item says, as it is shown, is what this user said: it is
// their own, or as they left it before somebody else changed it.
func (s *Store) SaysOwn(e ItemEntry) bool { return e.IsAsLeft() || s.IsOwnItem(e) }

// AlwaysSum names what an item says and that it is to be given with every prompt, "" if
// it is not. [Store.Vouched] tells whether somebody here wants that.
func AlwaysSum(e ItemEntry) string {
	if !e.Item.Scope.Always {
		return ""
	}
	return sumOf(e.Key, e.Item, true)
}

// Vouched reports whether this user stands for a sum.
func (s *Store) Vouched(sum string) bool {
	return s.o.Global || s.vouched().has(sum) || s.begun().has(sum)
}

// sumsOf are those that who wrote an item stands for.
func sumsOf(key string, it *sage.Item, always bool) []string {
	sums := []string{sumOf(key, it, false)}
	if always && it.Scope.Always {
		sums = append(sums, sumOf(key, it, true))
	}
	return sums
}

// own are the sums and versions of what was made on the bench that this user stands for: of
// what is new, of what was theirs, and of what a person said anew, or had all of before them.
// An agent's change of what came from elsewhere leaves it where it came from; so does
// anybody's change of what somebody else changed, unless it is as it was again. What is shown
// as its user left it is changed so, and stays theirs.
func (b *bench) own() (sums []string, list []version) {
	v := b.s.versions()
	for _, key := range b.order {
		sl := b.slots[key]
		if sl.now == nil && (sl.data != nil || sl.gone) && v.there(key) != "" {
			list = append(list, version{b.s.objects.Zero(), key})
		}
		if sl.now == nil || sl.text == nil || sl.nobodys {
			continue
		}
		if len(sl.now.Conflicts()) > 0 && sl.merged {
			if sl.was != nil && v != nil && v.of(key) == sl.blob { // of two that are theirs
				list = append(list, version{b.s.objects.New("blob", sl.text).ID, key})
			}
			continue
		}
		now := readItem(itemPath(key), git.Object{ID: b.s.objects.New("blob", sl.text).ID, Data: sl.text}) // as others will read it
		isNew := sl.data == nil
		anew := b.s.o.Person && sl.asked && !sl.merged && (sl.was == nil || saysOther(sl.was, sl.now) || sl.whole && v.there(key) != "")
		if isNew || anew || sl.sent != nil || sl.was != nil && b.s.IsOwnItem(ItemEntry{Key: key, Item: sl.was, Blob: sl.blob, Path: itemPath(key)}) || b.s.IsOwnItem(now) {
			list = append(list, version{now.Blob, key})
		}
		if !isNew && !anew && (sl.was == nil || !b.s.Vouched(sumOf(key, sl.was, false))) {
			continue
		}
		always := isNew || anew || !sl.was.Scope.Always || b.s.Vouched(sumOf(key, sl.was, true))
		sums = append(sums, sumsOf(key, now.Item, always)...)
	}
	return sums, list
}

// saysOther reports whether two versions of an item differ in what they say, and not only
// in what is said of them.
func saysOther(a, b *sage.Item) bool {
	return a.Content != b.Content || a.Description != b.Description || a.Approach != b.Approach || a.WhyFailed != b.WhyFailed || a.Learned != b.Learned
}

// ConfirmItems has this user stand for items as they were shown. ErrChanged says that
// another version of one is there by now, ErrNoPerson that an agent wants it.
func (s *Store) ConfirmItems(ctx context.Context, shown ...ItemEntry) error {
	var sums, names []string
	var list []version
	for _, e := range shown {
		now, err := s.Item(ctx, e.Key)
		switch {
		case err != nil:
			return err
		case now.Blob != e.Blob || now.IsRemoved() != e.IsRemoved():
			return ErrChanged
		case e.IsRemoved():
			names, list = append(names, itemName(e.Key)), append(list, version{s.objects.Zero(), e.Key})
			continue
		case e.Err != nil:
			return e.Err
		case len(e.Sent().Conflicts()) > 0:
			return fmt.Errorf("%s holds versions that disagree; 'git sage knowledge show %s' says how to settle them", itemName(e.Key), e.Key)
		}
		sums = append(sums, sumsOf(e.Key, e.Sent(), true)...)
		names = append(names, itemName(e.Key))
		list = append(list, version{e.Blob, e.Key})
	}
	return s.confirm(ctx, strings.Join(names, ", "), sums, list...)
}

// ConfirmCore has this user stand for what is said of a core file, as it was shown.
// ErrChanged says that something else is said by now, ErrNoPerson that an agent wants it.
func (s *Store) ConfirmCore(ctx context.Context, shown CoreFile) error {
	now, err := s.CoreFile(ctx, shown.Path)
	switch {
	case err != nil:
		return err
	case now.Summary != shown.Summary:
		return ErrChanged
	case now.Conflict:
		return fmt.Errorf("core file '%s' has summaries that disagree; 'git sage core add --summary <text> %s' settles them", now.Path, InShell(now.Path))
	}
	return s.confirm(ctx, "core file '"+shown.Path+"'", []string{sumOfCore(shown.Path, shown.Summary)})
}

// Confirm has this user stand for checkpoints as they are, and with a record of a session for
// those of it that it continues. Those that they made, or stand
// for already, are returned as known. ErrNoPerson says that an agent wants it.
func (s *Store) Confirm(ctx context.Context, revs ...string) (confirmed, known []Record, err error) {
	var ids []string
	for _, rev := range revs {
		r, err := s.Record(ctx, rev)
		if err != nil {
			return nil, nil, err
		}
		if r.Own && !r.Unconfirmed {
			known = append(known, r)
			continue
		}
		confirmed, ids = append(confirmed, r), append(ids, r.ID)
	}
	what := count(len(ids), "checkpoint")
	if len(ids) == 1 {
		what = "checkpoint " + short(ids[0])
	}
	for _, r := range confirmed {
		ids = append(ids, s.unconfirmedOf(ctx, r)...)
	}
	return confirmed, known, s.confirm(ctx, what, ids)
}

func (s *Store) confirm(ctx context.Context, what string, ids []string, list ...version) error {
	if !s.o.Person {
		return ErrNoPerson
	}
	if len(ids)+len(list) == 0 {
		return nil
	}
	if why := s.untrusted(); s.word(true) == "" {
		return fmt.Errorf("who stands for what is kept at home, and cannot be: %s", why)
	}
	done, _ := s.turn(context.Background())
	defer done()
	if err := s.adoptVersions(ctx); err != nil {
		return err
	}
	known, left := s.vouched(), s.versions()
	ids = slices.DeleteFunc(slices.Clone(ids), known.has)
	list = slices.DeleteFunc(slices.Clone(list), func(v version) bool { return left.of(v.key) == v.blob })
	if len(ids)+len(list) == 0 {
		return nil
	}
	l := confirmLine{ids: ids, what: what}
	for _, v := range list {
		l.steps = append(l.steps, versionStep{v.key, cmp.Or(left.of(v.key), s.objects.Zero()), v.blob})
	}
	if err := cmp.Or(s.vouch(ids...), s.noteVersions(list...)); err != nil {
		return err
	}
	return s.noteConfirm(l)
}

// A Confirmation counts what somebody stands for now.
type Confirmation struct{ Checkpoints, Items, CoreFiles int }

// ConfirmAll has this user stand for all that is here: checkpoints, items, pinned notes,
// skills and core files, as far as something is wanted. What is in conflict, or cannot be
// read, stays as it is.
func (s *Store) ConfirmAll(ctx context.Context, checkpoints, items bool) (out Confirmation, err error) {
	var ids []string
	var list []version
	if checkpoints {
		if ids, err = s.unconfirmedCommits(ctx); err != nil {
			return out, err
		}
		out.Checkpoints = len(ids)
	}
	if checkpoints && items { // also those of the knowledge, which nobody is shown
		t, err := s.Trust()
		if err != nil {
			return out, err
		}
		ids = append(ids, t.unclaimed...)
	}
	if items {
		sums, of, err := s.foreignSums(ctx, &out)
		if err != nil {
			return out, err
		}
		ids, list = append(ids, sums...), of
	}
	what := fmt.Sprintf("all: %s, %s and %s", count(out.Checkpoints, "checkpoint"), count(out.Items, "item"), count(out.CoreFiles, "core file"))
	if err := s.confirm(ctx, what, ids, list...); err != nil {
		return Confirmation{}, err
	}
	return out, nil
}

// unconfirmedCommits are the commits of lines, forks and tags that came from elsewhere, and
// those that rules made.
func (s *Store) unconfirmedCommits(ctx context.Context) ([]string, error) {
	refs, err := s.refs(ctx, headsPrefix, forksPrefix, tagsPrefix)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	var in strings.Builder
	for _, r := range refs {
		in.WriteString(r.id + "\n")
	}
	out, err := s.git.Feed(ctx, []byte(in.String()), "rev-list", "--stdin")
	if err != nil {
		return nil, logError(err)
	}
	isOwn, made := s.owner(), s.commitRecords(strings.Fields(string(out)))
	return slices.DeleteFunc(strings.Fields(string(out)), func(id string) bool { return isOwn(id) && !made[id].Unconfirmed }), nil
}

// foreignSums are the sums, and of items the versions, of what else came from elsewhere.
func (s *Store) foreignSums(ctx context.Context, n *Confirmation) (sums []string, list []version, err error) {
	items, err := s.everyItem(ctx)
	if err != nil {
		return nil, nil, err
	}
	known := s.vouched()
	for _, e := range items {
		if e.Err != nil || len(e.Item.Conflicts()) > 0 {
			continue
		}
		of := sumsOf(e.Key, e.Item, true)
		if !s.IsOwnItem(e) || slices.ContainsFunc(of, func(sum string) bool { return !known.has(sum) }) {
			sums, list = append(sums, of...), append(list, version{e.Blob, e.Key})
			n.Items++
		}
	}
	files, err := s.everyItemFile()
	if err != nil {
		return nil, nil, err
	}
	for _, f := range s.removals(s.versions(), files, func(string) bool { return true }) {
		list = append(list, version{s.objects.Zero(), itemKey(f.name)})
		n.Items++
	}
	core, err := s.CoreFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range core {
		if !c.Own && !c.Conflict {
			sums = append(sums, sumOfCore(c.Path, c.Summary))
			n.CoreFiles++
		}
	}
	return sums, list, nil
}

// everyItem lists the items of knowledge, pinned notes, skills and their texts, as they are
// in git.
func (s *Store) everyItem(ctx context.Context) ([]ItemEntry, error) {
	files, err := s.everyItemFile()
	if err != nil {
		return nil, err
	}
	return s.readItems(ctx, files)
}

// everyItemFile lists their files.
func (s *Store) everyItemFile() ([]treeEntry, error) {
	files, err := s.allItems()
	if err != nil {
		return nil, err
	}
	at := s.knowledge()
	for _, shelf := range []string{systemDir, skillsDir} {
		if o, err := s.object(at + ":" + shelf); err == nil && o.Type == "tree" {
			files = append(files, s.below(shelf, parseTree(o.Data, s.idSize()), 0)...)
		}
	}
	return slices.DeleteFunc(files, func(f treeEntry) bool { return !isItemPath(f.name) }), nil
}
