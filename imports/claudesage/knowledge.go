package claudesage

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
)

const indexFile = "knowledge/index.yaml"

// A listing is an item that index.yaml lists, or a file that it does not.
type listing struct {
	name     string     // by which the item is known: its id or, if another has that, its file
	id       string     // that it asks for
	file     string     // below knowledge; "" is none
	meta     *tree.Node // of the index; nil of a file that it does not list
	failure  bool       // a failure, which lies elsewhere
	problems []imports.Problem
}

// listed are the listings of a folder, with what is wrong with it.
type listed struct {
	list     []listing
	problems []imports.Problem
}

// listings are the items of a folder: those of the index, in its order, then files that it does
// not list, then failures. Files that hold none are among the problems.
func (s *Source) listings(ctx context.Context, f *Folder) (list []listing, problems []imports.Problem, err error) {
	index, problems, refused := s.index(f)
	byID := map[string]string{} // what has an id: a file
	isListed := map[string]bool{}
	for i, meta := range index {
		l := listing{meta: meta}
		if ok := s.listingOf(f, i, &l); !ok {
			problems = append(problems, l.problems...)
			continue
		}
		isListed[l.file] = true
		other, twice := byID[l.id]
		switch {
		case !twice:
			byID[l.id] = l.file
		case other == l.file:
			problems = append(problems, *f.note(indexFile, fmt.Sprintf("item '%s' is listed twice", legible.OneLine(l.id))))
			continue
		default:
			l.name = strings.TrimSuffix(l.file, ".md")
			l.problems = append(l.problems, *f.note(indexFile, fmt.Sprintf("two items are called '%s': that of %s gets another id", legible.OneLine(l.id), l.file)))
		}
		list = append(list, l)
	}
	if refused {
		return nil, problems, nil
	}
	dirs := []string{"knowledge/global"}
	for _, skill := range f.folders("knowledge/skills") {
		dirs = append(dirs, "knowledge/skills/"+skill)
	}
	for _, dir := range dirs {
		for _, e := range f.list(dir, ".md") {
			file := strings.TrimPrefix(e.name, "knowledge/")
			if e.problem != nil {
				problems = append(problems, *e.problem)
			} else if !isListed[file] {
				list = append(list, s.unlisted(f, file, byID))
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
	for _, e := range f.list("failures", ".md") {
		if e.problem != nil {
			problems = append(problems, *e.problem)
			continue
		}
		list = append(list, s.failureListing(f, e.name, byID))
	}
	return list, problems, ctx.Err()
}

// index reads index.yaml: the mappings of its items. refused says that nothing of the folder is
// to be brought in.
func (s *Source) index(f *Folder) (items []*tree.Node, problems []imports.Problem, refused bool) {
	text, problems := f.Text(indexFile)
	if text == "" {
		if len(problems) == 0 && len(f.list("knowledge/global", ".md")) > 0 {
			problems = append(problems, *f.note(indexFile, "is not there: the items are unconfirmed"))
		}
		return nil, problems, false
	}
	whole := func(what, do string) []imports.Problem {
		return append(problems, *f.problem(indexFile, imports.Partial, what+": what it says of items is not known, and they are unconfirmed", do))
	}
	if plain.InConflict(text) {
		return nil, whole("git left a conflict in it", "settle it there before you import, to keep keywords and status"), false
	}
	n, said, err := plain.ReadYAML(text)
	if err != nil {
		return nil, whole(plain.YAMLError().ReplaceAllString(err.Error(), ""), ""), false
	}
	for _, p := range said {
		problems = append(problems, *f.problem(indexFile, imports.Partial, p, ""))
	}
	if n.Kind != tree.MapNode {
		return nil, whole("is "+n.String()+" and no mapping", ""), false
	}
	if v := plain.Scalar(n, "version"); v != "" && v != "1" {
		return nil, append(problems, *f.skipped(indexFile, fmt.Sprintf("has version %s; 1 is known: no item was brought in", legible.OneLine(v)), "tell us, with the version of claude-sage")), true
	}
	list := n.Get("items")
	if list == nil || list.IsNull() {
		return nil, problems, false
	}
	if list.Kind != tree.ListNode {
		return nil, whole("its items are "+list.String()+" and no list", ""), false
	}
	return list.Vals, problems, false
}

// listingOf reads the id and the file of an item of the index; ok is false if it has none that
// can be used.
func (s *Source) listingOf(f *Folder, i int, l *listing) (ok bool) {
	at := fmt.Sprintf("%s: item %d", indexFile, i+1)
	if l.meta.Kind != tree.MapNode {
		l.problems = append(l.problems, *f.skipped(at, "is "+l.meta.String()+" and no mapping", ""))
		return false
	}
	l.id, l.file = plain.Scalar(l.meta, "id"), plain.Scalar(l.meta, "file")
	if l.id != "" {
		at = fmt.Sprintf("%s: item '%s'", indexFile, legible.OneLine(l.id))
	}
	if l.file == "" {
		l.problems = append(l.problems, *f.skipped(at, "names no file", ""))
		return false
	}
	if why := naming.PathProblem(l.file); why != "" || strings.ContainsAny(l.file, "\\\x00") {
		l.problems = append(l.problems, *f.skipped(at, fmt.Sprintf("its file '%s' is outside of the folder; it was not read", legible.Visible(l.file)), ""))
		return false
	}
	if l.id == "" {
		l.id = stem(l.file)
		l.problems = append(l.problems, *f.note(at, fmt.Sprintf("has no id; it was brought in as '%s'", legible.OneLine(l.id))))
	}
	l.name = l.id
	there, problem := f.There("knowledge/" + l.file)
	if problem != nil {
		l.problems = append(l.problems, *problem)
		return false
	}
	if !there {
		l.problems = append(l.problems, *f.skipped(at, fmt.Sprintf("its file knowledge/%s is missing", l.file), ""))
		return false
	}
	return true
}

// unlisted is a file that the index does not list. The tool does not see it.
func (s *Source) unlisted(f *Folder, file string, byID map[string]string) listing {
	l := listing{id: f.idIn("knowledge/" + file), file: file}
	if l.name = l.id; byID[l.id] != "" {
		l.name = strings.TrimSuffix(file, ".md")
	}
	byID[l.name] = file
	l.problems = []imports.Problem{*f.note("knowledge/"+file, "index.yaml does not list it, so that claude-sage did not see it; it is unconfirmed")}
	return l
}

// failureListing is a failure. One that was recorded again has a file of its own.
func (s *Source) failureListing(f *Folder, file string, byID map[string]string) listing {
	l := listing{id: f.idIn(file), file: file, failure: true}
	if l.name = l.id; byID[l.id] != "" {
		l.name = "failures/" + stem(file)
	}
	byID[l.name] = file
	return l
}

// idIn is the id that the front matter of a file gives, else its name.
func (f *Folder) idIn(file string) string {
	text, _ := f.Text(file)
	return cmp.Or(plain.Scalar(plain.SplitHead(text).Head, "id"), stem(file))
}

// eachItem yields the items of a folder.
func (s *Source) eachItem(ctx context.Context, f *Folder, fn func(imports.Record) error) error {
	all, known := s.listed[f]
	if !known {
		var err error
		if all.list, all.problems, err = s.listings(ctx, f); err != nil {
			return err
		}
	}
	delete(s.listed, f)
	if err := fn(imports.Record{Lies: f.Where("knowledge"), Problems: all.problems}); err != nil {
		return err
	}
	replaced := superseded(all.list)
	for _, l := range all.list {
		var rec imports.Record
		if l.failure {
			rec = s.failure(f, l)
		} else {
			rec = s.knowledge(f, l, replaced)
		}
		rec.Name, rec.Own = l.name, f.Own
		if err := fn(rec); err != nil {
			return err
		}
	}
	return nil
}

// keywords are those of an item, a line each.
func keywords(n *tree.Node) []string {
	return legible.Each(plain.Texts(n, "keywords"), func(s string) string { return strings.Join(strings.FieldsFunc(s, isLineEnd), " ") })
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

// A reader of one item.
type itemReader struct {
	f   *Folder
	rec imports.Record
}

func (r *itemReader) say(name string, g imports.Grade, format string, args ...any) {
	r.rec.Problems = append(r.rec.Problems, *r.f.problem(name, g, fmt.Sprintf(format, args...), ""))
}

// knowledge reads an item. What the index says counts before what the file says.
func (s *Source) knowledge(f *Folder, l listing, replaced map[string]string) imports.Record {
	file := "knowledge/" + l.file
	r := &itemReader{f: f, rec: imports.Record{Lies: f.Where(file), Problems: l.problems}}
	h := r.text(file)
	if h == nil {
		return r.rec
	}
	it := &sage.Item{ID: l.id, Content: strings.Trim(h.Body, "\n"), Type: sage.Knowledge}
	if l.meta != nil {
		r.fromIndex(l, it)
		if to := replaced[l.name]; to != "" && it.Status == "" {
			it.Status, it.Replacement = sage.Superseded, to
		}
		s.added(r, indexFile+": item '"+legible.OneLine(l.id)+"'", it, plain.Scalar(metaOf(l.meta), "added"))
	} else {
		it.Keywords = keywords(h.Head)
		if skill := plain.Scalar(h.Head, "skill"); skill != "" {
			it.Scope.Skills = []string{imports.FitName(skill)}
		}
		it.Source = plain.Scalar(h.Head, "source")
		r.kind(file, it, plain.Scalar(h.Head, "type"), plain.Scalar(h.Head, "status"))
		s.added(r, file, it, plain.Scalar(h.Head, "added"))
	}
	r.deprecated(it)
	if strings.TrimSpace(it.Content) == "" {
		it.Description = "Empty item " + legible.OneLine(l.id)
		r.say(file, imports.Noted, "has no text")
	}
	r.rec.Thing = imports.Item{Item: it, Unconfirmed: l.meta == nil}
	return r.rec
}

// text reads a file with front matter; nil is none, and then there is a problem.
func (r *itemReader) text(file string) *plain.Headed {
	text, problems := r.f.Text(file)
	r.rec.Problems = append(r.rec.Problems, problems...)
	if text == "" {
		if len(problems) == 0 {
			r.say(file, imports.Skipped, "is gone")
		}
		return nil
	}
	h := plain.SplitHead(text)
	switch {
	case h.Conflict:
		r.rec.Problems = append(r.rec.Problems, *r.f.skipped(file, "git left a conflict in its front matter", "settle it there, and import again"))
		return nil
	case h.Err != nil:
		r.say(file, imports.Skipped, "front matter: %v", h.Err)
		return nil
	case !h.OK && strings.HasPrefix(text, "---\n"):
		r.rec.Problems = append(r.rec.Problems, *r.f.skipped(file, "the front matter does not end: the file was cut", "complete it there with a line '---', and import again"))
		return nil
	}
	for _, p := range h.Problems {
		r.say(file, imports.Noted, "front matter: %s", p)
	}
	if plain.InConflict(h.Body) {
		r.say(file, imports.Noted, "git left a conflict in its text, which was brought in as it stands")
	}
	return &h
}

// metaOf is the mapping of an item of the index that says where it is from.
func metaOf(n *tree.Node) *tree.Node {
	if m := n.Get("metadata"); m != nil && m.Kind == tree.MapNode {
		return m
	}
	return &tree.Node{Kind: tree.MapNode}
}

// fromIndex takes over what the index says of an item.
func (r *itemReader) fromIndex(l listing, it *sage.Item) {
	n, at := l.meta, indexFile+": item '"+legible.OneLine(l.id)+"'"
	part := func(key string) *tree.Node {
		v := n.Get(key)
		if v == nil || v.IsNull() || v.Kind != tree.MapNode {
			if v == nil || v.Kind != tree.MapNode && !v.IsNull() {
				r.say(at, imports.Noted, "%s is no mapping", key)
			}
			return &tree.Node{Kind: tree.MapNode}
		}
		return v
	}
	triggers, scope, meta := part("triggers"), part("scope"), part("metadata")
	it.Keywords, it.Patterns = keywords(triggers), plain.Texts(triggers, "patterns")
	if k := triggers.Get("keywords"); k != nil && k.Kind == tree.ScalarNode && !k.IsNull() {
		r.say(at, imports.Noted, "keywords are one text and no list; it counts as one keyword")
	}
	for _, skill := range plain.Texts(scope, "skills") {
		it.Scope.Skills = append(it.Scope.Skills, imports.FitName(skill))
	}
	switch always := plain.Scalar(scope, "always"); always {
	case "true":
		it.Scope.Always = true
	case "", "false":
	default:
		it.Scope.Always = true
		r.say(at, imports.Noted, "always is '%s', which counts as true, as it did there", legible.OneLine(always))
	}
	it.Source = plain.Scalar(meta, "source")
	r.kind(at, it, plain.Scalar(n, "type"), plain.Scalar(meta, "status"))
	if commit := plain.Scalar(meta, "saved_at_commit"); commit != "" {
		it.Extra = append(it.Extra, sage.Entry{Key: "saved_at_commit", Value: commit})
	}
	r.codeLinks(at, n.Get("code_links"), it)
	r.links(at, n.Get("knowledge_links"), l, it)
	for i, key := range n.Keys {
		if !slices.Contains([]string{"id", "type", "file", "triggers", "scope", "metadata", "code_links", "knowledge_links"}, key) {
			if sage.IsItemKey(key) {
				key = "index_" + key
			}
			it.Extra = append(it.Extra, sage.Entry{Key: key, Value: n.Vals[i].Value()})
			r.say(at, imports.Noted, "has the key '%s', which means nothing here and was kept", legible.OneLine(key))
		}
	}
}

// kind reads type and status, which depend on each other.
func (r *itemReader) kind(at string, it *sage.Item, typ, status string) {
	switch t := sage.ItemType(typ); t {
	case sage.Knowledge, sage.Preference, sage.Todo, sage.Reference:
		it.Type = t
	case "":
	default:
		r.say(at, imports.Noted, "type: '%s' is none of claude-sage's; it was brought in as a fact", legible.OneLine(typ))
	}
	todo := it.Type == sage.Todo
	switch s := sage.Status(status); {
	case s == "":
	case s == sage.Active, s == sage.Archived, s == sage.Deprecated, todo && (s == sage.Done || s == sage.Pending):
		it.Status = s
	default:
		r.say(at, imports.Noted, "status: '%s' is none of a %s; it counts as live", legible.OneLine(status), it.Type.Kind())
	}
}

// deprecated takes the reason out of the source, in whose place the tool wrote it.
func (r *itemReader) deprecated(it *sage.Item) {
	reason, ok := strings.CutPrefix(it.Source, "DEPRECATED: ")
	if it.Status != sage.Deprecated || !ok {
		return
	}
	it.Source = ""
	if i := strings.LastIndex(reason, " → See: "); i >= 0 {
		reason, it.Replacement = reason[:i], reason[i+len(" → See: "):]
	}
	it.Reason = reason
}

// added reads when an item was added.
func (s *Source) added(r *itemReader, at string, it *sage.Item, text string) {
	if text == "" {
		if r.rec.Thing == nil {
			r.say(at, imports.Noted, "does not say when it was added")
		}
		return
	}
	var ok bool
	if it.Added, ok = s.parseTime(text); !ok {
		r.say(at, imports.Partial, "added: '%s' is no date that was; left out", legible.OneLine(text))
	}
}

// relations are what the tool calls links to code, in the words that references have here.
var relations = map[string]string{"implements": "supports", "example": "context", "related": "context", "deprecated_by": "stale"}

func (r *itemReader) codeLinks(at string, n *tree.Node, it *sage.Item) {
	if n == nil || n.IsNull() {
		return
	}
	var kept []any
	for _, v := range n.Vals {
		chunk := plain.Scalar(v, "chunk_id")
		file, symbol, _ := strings.Cut(chunk, "::")
		if n.Kind != tree.ListNode || chunk == "" || naming.PathProblem(file) != "" {
			r.say(at, imports.Partial, "a link to code names no file of the project: '%s'", legible.OneLine(chunk))
			continue
		}
		it.CodeRefs = append(it.CodeRefs, sage.CodeRef{File: file, Symbol: symbol, Relevance: relations[plain.Scalar(v, "relation")]})
		kept = append(kept, v.Value())
	}
	if len(kept) > 0 { // the words of the tool, and its notes
		it.Extra = append(it.Extra, sage.Entry{Key: "code_links", Value: kept})
	}
}

// inverse are relations that the tool wrote at the other end of a link, too.
var inverse = map[string]sage.LinkKind{"superseded_by": sage.Supersedes, "extended_by": sage.Extends}

func (r *itemReader) links(at string, n *tree.Node, l listing, it *sage.Item) {
	if n == nil || n.IsNull() {
		return
	}
	var kept []any
	for _, v := range n.Vals {
		to, relation := plain.Scalar(v, "target_id"), plain.Scalar(v, "relation")
		switch kind := sage.LinkKind(relation); {
		case n.Kind != tree.ListNode || to == "":
			r.say(at, imports.Partial, "a link names no item")
			continue
		case to == l.id:
			r.say(at, imports.Noted, "links to itself; that was left out")
			continue
		case slices.Contains(sage.LinkKinds, kind):
			it.Links = append(it.Links, sage.Link{Kind: kind, To: to})
		case inverse[relation] == "":
			it.Links = append(it.Links, sage.Link{Kind: sage.Related, To: to})
			r.say(at, imports.Noted, "a link '%s' counts as related", legible.OneLine(relation))
		}
		if note := plain.Scalar(v, "note"); note != "" {
			kept = append(kept, map[string]any{"to": to, "relation": relation, "note": note})
		}
	}
	if len(kept) > 0 {
		it.Extra = append(it.Extra, sage.Entry{Key: "link_notes", Value: kept})
	}
}

// superseded are the items that others supersede, and which. Of two that supersede each other
// neither is superseded.
func superseded(list []listing) map[string]string {
	by := map[string]string{}
	for _, l := range list {
		links := (*tree.Node)(nil)
		if l.meta != nil {
			links = l.meta.Get("knowledge_links")
		}
		if links == nil || links.Kind != tree.ListNode {
			continue
		}
		for _, v := range links.Vals {
			if to := plain.Scalar(v, "target_id"); plain.Scalar(v, "relation") == string(sage.Supersedes) && to != l.id {
				by[to] = l.name
			}
		}
	}
	for to, from := range by {
		if by[from] == to {
			delete(by, to)
			delete(by, from)
		}
	}
	return by
}

// failure reads a way that did not work.
func (s *Source) failure(f *Folder, l listing) imports.Record {
	r := &itemReader{f: f, rec: imports.Record{Lies: f.Where(l.file), Problems: l.problems}}
	h := r.text(l.file)
	if h == nil {
		return r.rec
	}
	if !h.OK {
		r.say(l.file, imports.Skipped, "has no front matter: it is no failure of claude-sage")
		return r.rec
	}
	it := &sage.Item{ID: l.id, Type: sage.Failure, Approach: plain.Scalar(h.Head, "approach"), Keywords: keywords(h.Head)}
	it.WhyFailed, it.Learned = splitFailure(h.Body)
	for _, x := range []struct{ name, text string }{{"approach", it.Approach}, {"section '## Why it failed'", it.WhyFailed}, {"section '## Learned'", it.Learned}} {
		if x.text == "" {
			r.say(l.file, imports.Noted, "has no %s", x.name)
		}
	}
	if it.Approach == "" { // which an item must have
		it.Approach = strings.ReplaceAll(l.id, "-", " ")
	}
	for _, to := range plain.Texts(h.Head, "related_to") {
		if to != l.id {
			it.Links = append(it.Links, sage.Link{Kind: sage.Related, To: to})
		}
	}
	if p := plain.Scalar(h.Head, "project"); p != "" {
		it.Extra = append(it.Extra, sage.Entry{Key: "project", Value: p})
	}
	s.added(r, l.file, it, plain.Scalar(h.Head, "added"))
	r.rec.Thing = imports.Item{Item: it}
	return r.rec
}

// splitFailure reads the body of a failure. What was learned comes last: another heading of that
// name before it is part of the text.
func splitFailure(body string) (why, learned string) {
	_, why, _ = strings.Cut("\n"+body, "\n## Why it failed\n")
	why = "\n" + why
	if i := strings.LastIndex(why, "\n\n## Learned\n"); i >= 0 {
		why, learned = why[:i], why[i+len("\n\n## Learned\n"):]
	}
	return strings.TrimSpace(why), strings.TrimSpace(learned)
}

// shelfID is the name of a file as the name of a note or a text.
func shelfID(file string) string { return imports.FitName(stem(path.Base(file))) }
