package knowledge

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/recall"
)

// itemFlags are the options that give the fields of an item: add, update and others
// share them. Those that were given replace what a file or the item says; update can
// add to lists, or take away.
type itemFlags struct {
	set   *pflag.FlagSet
	text  map[string]*string
	lists map[string]*[]string
	links map[sage.LinkKind]*[]string
	comma *string // --keywords a,b
	all   bool    // --always

	private bool // --private
}

// An itemText is an option with one value, what it is called in a conflict, and where
// it goes.
type itemText struct {
	option, field, usage string
	at                   func(*sage.Item) *string
}

var (
	typeText   = itemText{"type", "type", "the `type`: fact, preference, todo, reference or failure", func(it *sage.Item) *string { return (*string)(&it.Type) }}
	sourceText = itemText{"source", "source", "where it comes from, as `text`", func(it *sage.Item) *string { return &it.Source }}
	statusText = itemText{"status", "status", "the `status`: active, pending, done, archived, ...", func(it *sage.Item) *string { return (*string)(&it.Status) }}
	aboutText  = itemText{"description", "description", "the `line` that lists show", func(it *sage.Item) *string { return &it.Description }}
	tryTexts   = []itemText{
		{"approach", "approach", "what was tried, as `text`", func(it *sage.Item) *string { return &it.Approach }},
		{"why-failed", "why_failed", "why it did not work, as `text`", func(it *sage.Item) *string { return &it.WhyFailed }},
		{"learned", "learned", "what it taught, as `text`", func(it *sage.Item) *string { return &it.Learned }},
	}
)

type itemList struct {
	option, field, usage string
	at                   func(*sage.Item) *[]string
}

var itemLists = []itemList{
	{"keyword", "keywords", "recall it for this `word` or phrase (repeatable)", func(it *sage.Item) *[]string { return &it.Keywords }},
	{"when", "when", "recall it for requests like this `one`, in other words than its own (repeatable)", func(it *sage.Item) *[]string { return &it.When }},
	{"pattern", "patterns", "add to its score where this `regexp` (RE2) matches (repeatable)", func(it *sage.Item) *[]string { return &it.Patterns }},
	{"skill", "scope.skills", "recall it only while this `skill` is active (repeatable)", func(it *sage.Item) *[]string { return &it.Scope.Skills }},
	{"path", "scope.paths", "recall it where this `file` or folder is named (repeatable)", func(it *sage.Item) *[]string { return &it.Scope.Paths }},
}

// addItemFlags gives c the options, with those texts.
func addItemFlags(c *cobra.Command, texts ...itemText) *itemFlags {
	f := c.Flags()
	f.SortFlags = false
	o := &itemFlags{set: f, text: map[string]*string{}, lists: map[string]*[]string{}, links: map[sage.LinkKind]*[]string{}}
	for _, t := range texts {
		o.text[t.option] = f.String(t.option, "", t.usage)
	}
	for _, l := range itemLists {
		o.lists[l.option] = f.StringArray(l.option, nil, l.usage)
		if l.option == "keyword" {
			o.comma = f.String("keywords", "", "the same, as `a,b,c`")
		}
	}
	f.BoolVar(&o.all, "always", false, "recall it for every prompt")
	f.BoolVar(&o.private, "private", false, "keep it in this clone, out of all that is shared")
	for _, l := range linkFlags {
		o.links[l.kind] = f.StringArray(string(l.kind), nil, l.usage)
	}
	if o.text["type"] != nil {
		completeWords(c, "type", "type")
	}
	if o.text["status"] != nil {
		completeWords(c, "status", "status")
	}
	return o
}

// given reports whether any of the options was used.
func (o *itemFlags) given() bool {
	given := o.set.Changed("keywords") || o.set.Changed("always") || o.set.Changed("private")
	for option := range o.text {
		given = given || o.set.Changed(option)
	}
	for option := range o.lists {
		given = given || o.set.Changed(option)
	}
	return given || len(o.targets()) > 0
}

// linkFlags are options that link an item to one that is there.
var linkFlags = []struct {
	kind  sage.LinkKind
	usage string
}{
	{sage.Supersedes, "replace the item `id` (repeatable)"},
	{sage.Contradicts, "say that it contradicts the item `id` (repeatable)"},
}

// targets are the ids that options link to.
func (o *itemFlags) targets() (ids []string) {
	for _, l := range linkFlags {
		ids = append(ids, *o.links[l.kind]...)
	}
	return ids
}

// link adds the links of options to an item, or takes them away.
func (o *itemFlags) link(it *sage.Item, how listChange) {
	for _, l := range linkFlags {
		for _, id := range *o.links[l.kind] {
			link := sage.Link{Kind: l.kind, To: id}
			it.Links = slices.DeleteFunc(it.Links, func(have sage.Link) bool { return have == link })
			if how != reduceList {
				it.Links = append(it.Links, link)
			}
		}
	}
}

// apply lays the options over an item: how says what becomes of lists.
func (o *itemFlags) apply(it *sage.Item, how listChange) {
	for _, t := range append([]itemText{typeText, sourceText, statusText, aboutText}, tryTexts...) {
		if o.text[t.option] != nil && o.set.Changed(t.option) {
			*t.at(it) = *o.text[t.option]
			merge.SettleItem(it, t.field)
		}
	}
	if o.set.Changed("type") {
		it.Type = sage.TypeOf(string(it.Type))
		retype(it)
	}
	if o.set.Changed("status") {
		restate(it)
	}
	for _, l := range itemLists {
		if values, ok := o.values(l.option); ok {
			*l.at(it) = how.of(*l.at(it), values)
			merge.SettleItem(it, l.field)
		}
	}
	if o.set.Changed("always") {
		it.Scope.Always = o.all && how != reduceList
		merge.SettleItem(it, "scope.always")
	}
	if o.set.Changed("private") {
		it.SetPrivate(o.private && how != reduceList)
	}
	o.link(it, how)
}

// values are those of a list, as they were given one by one or with commas.
func (o *itemFlags) values(option string) (values []string, ok bool) {
	values, ok = *o.lists[option], o.set.Changed(option)
	if option == "keyword" && o.set.Changed("keywords") {
		return append(slices.Clone(values), strings.Split(*o.comma, ",")...), true
	}
	return values, ok
}

// retype gives an item whose type was changed the status that begins there.
func retype(it *sage.Item) {
	todo := strings.EqualFold(strings.TrimSpace(string(it.Type)), string(sage.Todo))
	switch {
	case todo && it.Status == sage.Active:
		it.Status = sage.Pending
	case !todo && (it.Status == sage.Pending || it.Status == sage.Done):
		it.Status = sage.Active
	}
}

// restate forgets why an item was replaced that counts again.
func restate(it *sage.Item) {
	switch sage.Status(strings.ToLower(strings.TrimSpace(string(it.Status)))) {
	case sage.Active, sage.Pending, sage.Done:
		it.Reason, it.Replacement = "", ""
		merge.SettleItem(it, "reason", "replacement")
	}
}

// A listChange says what becomes of a list that values are given for.
type listChange int

const (
	replaceList listChange = iota
	extendList
	reduceList
)

func (c listChange) of(list, values []string) []string {
	switch c {
	case extendList:
		return append(slices.Clone(list), values...)
	case reduceList:
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(values, s) })
	}
	return values
}

// rootPaths makes the paths of options that are there relative to the root of the
// repository, as the scope of an item has them; what is not there is taken as it is typed.
func rootPaths(a *app.App, m *recall.Memory, o *itemFlags) {
	paths := *o.lists["path"]
	for i, p := range paths {
		if _, err := os.Lstat(a.Path(p)); err != nil || p == "" {
			continue
		}
		if rel, err := a.RepositoryPath(m, p); err == nil {
			paths[i] = rel
		}
	}
}
