package markdown

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/propose"
)

// The tools whose notes are files of Markdown.
const (
	Obsidian    = "obsidian"
	BasicMemory = "basic-memory"
)

// A note is a file of a vault on its way.
type note struct {
	file string // without the ending
	rec  imports.Record
	it   *sage.Item // nil: it is a checkpoint
	text string
}

var (
	wikiLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\[\[([^\]|#^\n]+)(?:[#^][^\]|\n]*)?(?:\|[^\]\n]*)?\]\]`)
	})
	relation  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[-*+][ \t]+([A-Za-z][\w -]{0,60}?)[ \t]+\[\[`) })
	inlineTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s(])#([\pL_][\pL\d_/-]{0,80})`) })
)

// ReadVault reads a folder of notes of a tool, and what [WriteVault] wrote. Files that are no
// notes are counted.
func ReadVault(tool, dir, shown string) (imports.Source, error) {
	f, err := plain.OpenFolder(dir, shown)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &imports.List{From: tool}
	files, problems := f.Files("*")
	l.Say(problems...)
	var notes []*note
	others := map[string]int{} // files that are no notes, by their endings
	for _, name := range files {
		if ext := strings.ToLower(path.Ext(name)); ext != ".md" {
			others[ext]++
			continue
		}
		text, problems := f.Text(name)
		if text == "" {
			l.Say(problems...)
			continue
		}
		n := &note{file: strings.TrimSuffix(name, path.Ext(name)), rec: imports.Record{Lies: f.Where(name), Problems: problems}, text: text}
		n.rec.Name = n.file
		if n.read(f.Source(name)); n.it != nil && n.it.Added.IsZero() { // as both tools date it
			if st, err := f.Stat(name); err == nil {
				n.it.Added = st.ModTime().UTC().Truncate(time.Second)
			}
		}
		if n.rec.Thing != nil || n.it != nil {
			notes = append(notes, n)
		} else {
			l.Say(n.rec.Problems...)
		}
	}
	names := targets(notes)
	for _, n := range inOrder(notes) {
		if n.it == nil {
			l.Records = append(l.Records, n.rec)
			continue
		}
		n.link(names)
		l.Add(n.rec.Lies, n.rec.Name, n.it, n.rec.Problems...)
	}
	l.Say(otherFiles(f, others)...)
	return l, nil
}

// say adds a problem.
func (n *note) say(g imports.Grade, format string, args ...any) {
	n.rec.Problems = append(n.rec.Problems, imports.Problem{Where: n.rec.Lies, Grade: g, What: fmt.Sprintf(format, args...)})
}

// read makes an item or a checkpoint of the note.
func (n *note) read(source string) {
	if plain.InConflict(n.text) {
		n.say(imports.Skipped, "git left a conflict in it")
		return
	}
	h := plain.SplitHead(n.text)
	switch {
	case h.Err != nil:
		n.say(imports.Skipped, "front matter: %v", h.Err)
		return
	case h.OK && plain.Scalar(h.Head, "type") == "checkpoint" && h.Head.Get("id") != nil:
		n.checkpoint()
		return
	case h.OK && h.Head.Get("id") != nil && h.Head.Get("added") != nil && slices.Contains(sage.ItemWords("type"), plain.Scalar(h.Head, "type")):
		if it, err := codec.ParseItem([]byte(n.text)); err == nil && naming.NameProblem(it.ID) == "" {
			n.own(it)
			return
		}
	}
	for _, p := range h.Problems {
		n.say(imports.Partial, "%s", p)
	}
	if strings.TrimSpace(h.Body) == "" {
		n.say(imports.Noted, "has no text")
		return
	}
	n.item(h, source)
}

// checkpoint reads a checkpoint as an export writes it.
func (n *note) checkpoint() {
	c, err := codec.Parse([]byte(n.text))
	if err != nil {
		n.say(imports.Skipped, "%v", err)
		return
	}
	n.rec.Name = c.ID
	cp := imports.Checkpoint{Checkpoint: c}
	if len(c.Parents) > 0 {
		cp.Parent = c.Parents[0]
	}
	if len(c.Parents) > 1 {
		n.say(imports.Noted, "brought lines together; it continues the first of them")
	}
	c.ID, c.Parents = "", nil
	n.rec.Thing = cp
}

// own takes over an item that [WriteVault] or [WriteBasicMemory] wrote. Its links name ids.
func (n *note) own(it *sage.Item) {
	it.Extra = slices.DeleteFunc(it.Extra, func(x sage.Entry) bool { return x.Key == imports.ImportedKey || slices.Contains(basicKeys, x.Key) })
	it.Content = strings.TrimSpace(it.Content)
	for _, mark := range []string{trailerMark + "\n", ""} {
		if t := strings.TrimSpace(trailer(it, mark)); t != "" {
			it.Content = strings.TrimSpace(strings.TrimSuffix(it.Content, t))
		}
	}
	it.Content = strings.TrimSpace(strings.TrimPrefix(it.Content, tried(it)))
	n.it, n.rec.Name = it, it.ID
}

// item makes an item of a note of somebody.
func (n *note) item(h plain.Headed, source string) {
	it := &sage.Item{Type: sage.Knowledge, Source: source, Content: strings.TrimSpace(h.Body)}
	titled := plain.Scalar(h.Head, "title")
	if titled == "" {
		for _, b := range strings.SplitN(it.Content, "\n", 20) {
			if m := headingLine().FindStringSubmatch(b); m != nil && len(m[1]) == 1 {
				titled = m[2]
				break
			}
		}
	}
	title := cut.Bytes(legible.OneLine(cmp.Or(titled, path.Base(n.file))), 300)
	if it.Title() != title { // a text that begins with it needs it no second time
		it.Description = title
	}
	for i, key := range h.Head.Keys {
		n.field(it, strings.ToLower(key), h.Head.Vals[i], plain.Texts(h.Head, key))
	}
	lines := strings.Split(it.Content, "\n")
	for i, ok := range isText(lines) {
		if !ok || headingLine().MatchString(lines[i]) {
			continue
		}
		for _, m := range inlineTag().FindAllStringSubmatch(codeSpan().ReplaceAllString(lines[i], ""), -1) {
			it.Keywords = append(it.Keywords, strings.ReplaceAll(m[1], "/", " "))
		}
	}
	if len(it.Keywords) == 0 {
		it.Keywords = plain.Keywords(title)
	}
	it.Keywords = slices.DeleteFunc(it.Keywords, func(s string) bool { return len(s) > 200 })
	it.Keywords = it.Keywords[:min(len(it.Keywords), 50)]
	if it.ID = naming.SuggestName(propose.WithoutSecrets(path.Base(n.file))); it.ID == "" || len(it.ID) > maxNoteID {
		it.ID = propose.IDFor(it.Type, path.Base(n.file))
	}
	n.it = it
}

// maxNoteID is how long an id may be that is the name of a file, in bytes.
const maxNoteID = 60

// field takes up a key of front matter.
func (n *note) field(it *sage.Item, key string, v *tree.Node, list []string) {
	word := ""
	if len(list) == 1 {
		word = list[0]
	}
	switch key {
	case "title", "id", "permalink":
		if base := path.Base(n.file); key != "title" && word != "" && word != base {
			it.Aliases = append(it.Aliases, cut.Bytes(legible.OneLine(word), 200))
		}
		return
	case "tags", "tag", "keywords":
		for _, s := range list {
			if v.Kind == tree.ScalarNode {
				it.Keywords = append(it.Keywords, strings.FieldsFunc(strings.ReplaceAll(s, "#", ""), func(r rune) bool { return r == ',' || r == ' ' })...)
			} else if s = legible.OneLine(strings.TrimPrefix(s, "#")); s != "" {
				it.Keywords = append(it.Keywords, strings.ReplaceAll(s, "/", " "))
			}
		}
		return
	case "aliases", "alias":
		for _, s := range list {
			if s = cut.Bytes(legible.OneLine(s), 200); s != "" && len(it.Aliases) < 20 {
				it.Aliases = append(it.Aliases, s)
				it.When = whenOf(append(it.When, s)...)
			}
		}
		return
	case "created", "date", "created_at", "date created", "creation date", "added":
		at, ok := plain.Date(word)
		if it.Added.IsZero() {
			it.Added = at
		}
		if !ok && word != "" {
			n.say(imports.Partial, "%s: %s is no date", key, legible.Quoted(word, 40))
		}
		return
	case "source":
		if word != "" {
			it.Source = legible.OneLine(word)
		}
		return
	case "type":
		if t := sage.TypeOf(word); slices.Contains(sage.Kinds(), t.Kind()) && t != sage.Failure && t != sage.Note && t != sage.Skill && t != sage.Doc {
			it.Type = t
			return
		}
		if word == "note" { // says nothing
			return
		}
	}
	if v.IsNull() {
		return
	}
	if sage.IsItemKey(key) || key == imports.ImportedKey {
		key = "note_" + key
	}
	it.Extra = append(it.Extra, sage.Entry{Key: key, Value: v.Value()})
}

// targets are the notes by what a link may call them, in small letters: the path, its last part,
// the title and other names. What two have is the first's.
func targets(notes []*note) map[string]string {
	out := map[string]string{}
	add := func(name, to string) {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" && out[name] == "" {
			out[name] = to
		}
	}
	for _, n := range notes {
		add(n.file, n.rec.Name)
	}
	for _, n := range notes {
		add(path.Base(n.file), n.rec.Name)
	}
	for _, n := range notes {
		if n.it == nil {
			continue
		}
		add(n.it.Title(), n.rec.Name)
		for _, a := range n.it.Aliases {
			add(a, n.rec.Name)
		}
	}
	return out
}

// maxNoteLinks is how many links of a note are taken: an item has no more.
const maxNoteLinks = 150

// link makes links of those in the text, as far as they lead to notes.
func (n *note) link(names map[string]string) {
	if n.rec.Name != n.file { // it has its links
		return
	}
	lines := strings.Split(n.it.Content, "\n")
	dangling := 0
	for i, ok := range isText(lines) {
		if !ok {
			continue
		}
		kind := sage.Related
		if m := relation().FindStringSubmatch(lines[i]); m != nil {
			if k := sage.LinkKind(strings.ToLower(m[1])); slices.Contains(sage.LinkKinds, k) {
				kind = k
			}
		}
		for _, m := range wikiLink().FindAllStringSubmatch(codeSpan().ReplaceAllString(lines[i], ""), -1) {
			name := strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(m[1]), ".md")))
			to := cmp.Or(names[name], names[strings.ToLower(path.Join(path.Dir(n.file), name))], names[path.Base(name)])
			switch l := (sage.Link{Kind: kind, To: to}); {
			case to == "":
				dangling++
			case to != n.rec.Name && len(n.it.Links) < maxNoteLinks && !slices.ContainsFunc(n.it.Links, func(x sage.Link) bool { return x.To == to }):
				n.it.Links = append(n.it.Links, l)
			}
		}
	}
	if dangling == 0 {
		n.it.Content = withoutRelations(n.it.Content)
	} else {
		n.say(imports.Noted, "%s to what is no note here; the text keeps %s", legible.Count(dangling, "link"), map[bool]string{true: "it", false: "them"}[dangling == 1])
	}
}

// onlyRelation is a line that says no more than a link does.
var onlyRelation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^- (?:related|supersedes|contradicts|extends) \[\[[^\]|#]+\]\]$`)
})

// withoutRelations is a text without the lines at its end that say no more than its links.
func withoutRelations(text string) string {
	lines := strings.Split(text, "\n")
	end := len(lines)
	for end > 1 && onlyRelation().MatchString(lines[end-1]) {
		end--
	}
	if end == len(lines) || strings.TrimSpace(lines[end-1]) != "" {
		return text
	}
	return strings.TrimSpace(strings.Join(lines[:end], "\n"))
}

// inOrder are the notes, and before them checkpoints behind those that they continue.
func inOrder(notes []*note) (out []*note) {
	byID := map[string]*note{}
	for _, n := range notes {
		if n.it == nil {
			byID[n.rec.Name] = n
		}
	}
	done := map[*note]bool{}
	for _, n := range notes {
		var chain []*note
		for at := n; at != nil && at.it == nil && !done[at]; at = byID[at.rec.Thing.(imports.Checkpoint).Parent] {
			done[at] = true
			chain = append(chain, at)
		}
		slices.Reverse(chain)
		out = append(out, chain...)
	}
	for _, n := range out { // what continues one that is not there begins anew
		if c := n.rec.Thing.(imports.Checkpoint); byID[c.Parent] == nil && c.Parent != "" {
			c.Parent = ""
			n.rec.Thing = c
		}
	}
	for _, n := range notes {
		if n.it != nil {
			out = append(out, n)
		}
	}
	return out
}

// otherFiles tells of the files of a vault that are no notes, by their endings.
func otherFiles(f *plain.Folder, kinds map[string]int) []imports.Problem {
	if len(kinds) == 0 {
		return nil
	}
	var list []string
	for ext, k := range kinds {
		list = append(list, fmt.Sprintf("%d %s", k, cmp.Or(ext, "without an ending")))
	}
	slices.Sort(list)
	return []imports.Problem{{Where: f.Where(""), Grade: imports.Noted, What: "files that are no Markdown were left where they are: " + strings.Join(list, ", ")}}
}

// trailerMark begins what [WriteVault] writes below an item for Obsidian, which does not show it.
const trailerMark = "%% links %%"

// trailer are the links of an item as both tools follow them, behind a mark.
func trailer(it *sage.Item, mark string) string {
	var b strings.Builder
	for _, l := range it.Links {
		fmt.Fprintf(&b, "- %s [[%s]]\n", l.Kind, l.To)
	}
	if it.Replacement != "" {
		fmt.Fprintf(&b, "- replaced by [[%s]]\n", it.Replacement)
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n\n" + mark + b.String()
}

// WriteVault writes items as notes that Obsidian reads, by the names of their files. Front matter
// holds all that an item has.
func WriteVault(items []*sage.Item) map[string][]byte {
	files := map[string][]byte{}
	for _, it := range items {
		x := it.Clone()
		x.Content += trailer(it, trailerMark+"\n")
		files[it.ID+".md"] = codec.MarshalItem(x)
	}
	return files
}

// basicKeys are those that Basic Memory has for what an item says under others.
var basicKeys = []string{"title", "permalink", "tags", "created"}

// WriteBasicMemory writes items likewise as notes of Basic Memory, which finds them by their text
// and shows links as relations. Points of a list that begin with a category are observations.
func WriteBasicMemory(items []*sage.Item) map[string][]byte {
	files := map[string][]byte{}
	for _, it := range items {
		x := it.Clone()
		x.Extra = append(x.Extra, sage.Entry{Key: "title", Value: title(it)}, sage.Entry{Key: "permalink", Value: it.ID})
		if len(it.Keywords) > 0 {
			x.Extra = append(x.Extra, sage.Entry{Key: "tags", Value: tree.PlainList(it.Keywords)})
		}
		if !it.Added.IsZero() {
			x.Extra = append(x.Extra, sage.Entry{Key: "created", Value: it.Added.UTC().Format(time.RFC3339)})
		}
		x.Content = strings.TrimSpace(tried(it)+"\n\n"+it.Content) + trailer(it, "")
		files[it.ID+".md"] = codec.MarshalItem(x)
	}
	return files
}

// tried is what a failure says beside its content.
func tried(it *sage.Item) string {
	return (&sage.Item{Approach: it.Approach, WhyFailed: it.WhyFailed, Learned: it.Learned}).Text()
}
