package sage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
)

// Title is one line that tells an item from others: its description, else the first
// line of what it says without the signs of a heading, else its id. Of versions that
// disagree it tells each: who sees the title alone is not to take one for what is known.
func (it *Item) Title() string {
	if s := legible.OneLine(it.Description); s != "" {
		return s
	}
	list := versions.Split(it.Content)
	if len(list) == 1 {
		return cmp.Or(firstLine(cmp.Or(it.Content, it.Approach)), legible.OneLine(it.Approach), it.ID)
	}
	var titles []string
	for _, version := range list {
		if s := strings.TrimSuffix(firstLine(version), "."); s != "" && !slices.Contains(titles, s) {
			titles = append(titles, s)
		}
	}
	return cmp.Or(strings.Join(titles, "; or: "), legible.OneLine(it.Approach), it.ID)
}

// firstLine is the first line that says something, without the signs of a heading: front matter
// says what the text is about to other programs, and a rule nothing.
func firstLine(text string) string {
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, body, ok := strings.Cut("\n"+rest, "\n---\n"); ok && strings.TrimSpace(body) != "" {
			text = body
		}
	}
	for line := range strings.Lines(text) {
		if s := legible.OneLine(strings.TrimLeft(line, "# ")); strings.Trim(s, "-*_= ") != "" {
			return s
		}
	}
	return ""
}

// Text is all that an item says, for whoever reads or searches it: its description,
// of a failure what was tried, why it failed and what that taught, and its content.
func (it *Item) Text() string {
	var parts []string
	for _, f := range []struct{ head, text string }{
		{"", it.Description}, {"Approach: ", it.Approach}, {"Why it failed: ", it.WhyFailed}, {"Learned: ", it.Learned}, {"", it.Body()},
	} {
		if f.text != "" {
			parts = append(parts, f.head+f.text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// Body is the content for who reads it: versions that a merge left in it are told in words.
func (it *Item) Body() string { return versions.InWords(it.Content) }

// Tokens guesses how many tokens a model sees in an item.
func (it *Item) Tokens() int { return legible.EstimateTokens(it.Text()) }

// Clone returns a copy that shares nothing with it.
func (it *Item) Clone() *Item {
	out := *it
	for _, f := range out.Fields() {
		cloneField(f.Ptr)
	}
	out.Variants, out.Extra = cloneEntries(it.Variants), cloneEntries(it.Extra)
	return &out
}

func cloneEntries(list []Entry) []Entry {
	list = slices.Clone(list)
	for i, x := range list {
		list[i].Value = cloneValue(x.Value)
	}
	return list
}

// Tidy puts an item into the form in which it is stored: words in lower case, type
// and status given, keywords and the like trimmed and each once, links by kind, line
// ends of Unix. Call it before [validate.Item] for what a person or an agent gives.
func (it *Item) Tidy() {
	it.Type = TypeOf(string(it.Type))
	it.Status = Status(strings.ToLower(strings.TrimSpace(string(it.Status))))
	it.SetDefaults()
	for _, list := range []*[]string{&it.Keywords, &it.Patterns, &it.When, &it.Scope.Skills, &it.Scope.Paths, &it.Aliases} {
		*list = tidyList(*list)
	}
	for i, l := range it.Links {
		it.Links[i].Kind = LinkKind(strings.ToLower(strings.TrimSpace(string(l.Kind))))
	}
	it.Links = LinksOf(LinkFields(uniqueLinks(it.Links)))
	for _, text := range []*string{&it.Description, &it.Source, &it.Reason, &it.Approach, &it.WhyFailed, &it.Learned} {
		*text = strings.TrimSpace(versions.UnixLines(*text))
	}
	it.Content = versions.Tidy(it.Content)
	it.Added, it.Updated = toSecond(it.Added), toSecond(it.Updated)
}

func toSecond(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

func tidyList(list []string) (out []string) {
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func uniqueLinks(list []Link) (out []Link) {
	for _, l := range list {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// MapText replaces every text of an item by what fn makes of it, and stops at fn's
// first error. Left alone are ids, names of skills, and words of the sets that
// [validate.Item] checks; what stands in their place but is neither goes through fn
// as well. After an error the item is partly changed.
func (it *Item) MapText(fn func(string) (string, error)) error {
	w := &Walker{Fn: func(path, text string) (string, error) {
		if text == "" || isItemWord(Indexes().ReplaceAllString(path, ""), text) {
			return text, nil
		}
		return fn(text)
	}}
	for _, f := range it.Fields() {
		w.field(f.Key, f.Ptr)
	}
	it.Content = w.text("content", it.Content)
	for _, list := range []*[]Entry{&it.Variants, &it.Extra} {
		for i, x := range *list {
			at := x.Key
			if strings.HasPrefix(at, "links.") {
				at = "links.to"
			}
			(*list)[i] = Entry{x.Key, w.value(at, x.Value)}
			if list == &it.Extra {
				(*list)[i].Key = w.text("extra", x.Key)
			}
		}
	}
	return w.err
}

// isItemWord reports whether what stands at a path is no text of a person.
func isItemWord(path, s string) bool {
	switch path {
	case "links.kind":
		return slices.Contains(LinkKinds, LinkKind(s))
	case "id", "replacement", "scope.skills", "links.to":
		return naming.NameProblem(s) == ""
	case "deleted_by", "code_refs.blob":
		return objects().MatchString(s)
	}
	return slices.Contains(ItemEnums()[path], s) || path == "code_refs.relevance" && slices.Contains(WordSets()[path], s)
}
