package markdown

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/propose"
)

// Decisions is the tool of architecture decision records.
const Decisions = "adr"

// DecisionFolders are where decision records usually lie in a project.
var DecisionFolders = []string{"docs/adr", "doc/adr", "docs/decisions", "doc/decisions", "docs/architecture/decisions", "doc/architecture/decisions", "docs/adrs", "adr"}

// statusKey is the key of an item's Extra with the status of a decision, where it is more than
// that it holds or does not.
const statusKey = "adr_status"

var (
	adrNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:adr[-_ ]?)?0*(\d{1,6})(?:[-_. ]|$)`) })
	adrTitle  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:adr[-_ ]?)?\d{1,6}[.:)]?[ \t]+(?:[-–—][ \t]+)?|^adr[-_ ]?\d{1,6}[.:)-]*[ \t]*`)
	})
	adrField = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:[-*+][ \t]+)?(?:\*\*)?(status|date|deciders|decision-makers|consulted|informed|authors?|technical story|tags)(?:\*\*)?:(?:\*\*)?[ \t]*(.*)$`)
	})
	adrRel = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(super[sc]e+ded|super[sc]e+des?|replaced|replaces|amended|amends|extended|extends|clarifie[sd]|relate[sd]|contradicts|depends)\b[ \t]*(by|to|on)?\b`)
	})
	adrLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\[[^\]]*\]\(<?([^)>#\s]+)[^)]*\)|\b(?:ADR[-_ ]?)0*(\d{1,6})\b`)
	})
	linksWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:links|related decisions|more information)$`) })
)

// A decision is a record on its way.
type decision struct {
	file, where, title, status string
	number                     int // 0 is none
	it                         *sage.Item
	rels                       []rel
	problems                   []imports.Problem
}

// A rel says how a decision stands to another.
type rel struct{ word, to string }

// ReadDecisions reads a folder of decision records in the forms of Nygard and MADR.
func ReadDecisions(dir, shown string) (imports.Source, error) {
	f, err := plain.OpenFolder(dir, shown)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &imports.List{From: Decisions}
	files, problems := f.Files(".md")
	l.Say(problems...)
	var list []*decision
	for _, name := range files {
		text, problems := f.Text(name)
		if text == "" {
			l.Say(problems...)
			continue
		}
		d, problem := decisionOf(f, name, text)
		if d == nil {
			l.Say(append(problems, *problem)...)
			continue
		}
		d.problems = append(problems, d.problems...)
		list = append(list, d)
	}
	for _, d := range list {
		d.relate(list)
	}
	for _, d := range list {
		d.it.ID = d.id()
		l.Add(d.where, d.file, d.it, d.problems...)
	}
	return l, nil
}

// id is that of its item.
func (d *decision) id() string {
	slug := propose.Slug(propose.WithoutSecrets(d.title))
	if d.number == 0 {
		return imports.FitName("adr-" + slug)
	}
	return imports.FitName(strings.TrimRight(cut.Bytes(fmt.Sprintf("adr-%04d-%s", d.number, slug), 80), "-"))
}

// decisionOf reads a record, or says why a file is none.
func decisionOf(f *plain.Folder, name, text string) (*decision, *imports.Problem) {
	where := f.Where(name)
	if plain.InConflict(text) {
		return nil, &imports.Problem{Where: where, Grade: imports.Skipped, What: "git left a conflict in it", Do: "settle it there, and import again"}
	}
	h := plain.SplitHead(text)
	if h.Err != nil || !h.OK && strings.HasPrefix(text, "---\n") {
		return nil, &imports.Problem{Where: where, Grade: imports.Skipped, What: "the front matter does not end: the file was cut", Do: "complete it there with a line '---', and import again"}
	}
	d := &decision{file: name, where: where, it: &sage.Item{Type: sage.Knowledge, Source: f.Source(name)}}
	for _, p := range h.Problems {
		d.problems = append(d.problems, imports.Problem{Where: where, Grade: imports.Partial, What: p})
	}
	if m := adrNumber().FindStringSubmatch(path.Base(name)); m != nil {
		d.number, _ = strconv.Atoi(m[1])
	}
	isRecord := d.number > 0
	for i, key := range h.Head.Keys {
		if d.field(key, plain.Texts(h.Head, key)) {
			isRecord = true
		} else if !sage.IsItemKey(key) && key != "title" {
			d.it.Extra = append(d.it.Extra, sage.Entry{Key: "adr_" + key, Value: h.Head.Vals[i].Value()})
		}
	}
	d.title = plain.Scalar(h.Head, "title")
	if d.body(h.Body) {
		isRecord = true
	}
	if base := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name))); !isRecord || base == "readme" || base == "index" || strings.Contains(base, "template") {
		return nil, &imports.Problem{Where: where, Grade: imports.Noted, What: "is no decision record: it has no number and no status"}
	}
	d.title = cmp.Or(adrTitle().ReplaceAllString(legible.OneLine(d.title), ""), legible.OneLine(d.title), path.Base(name))
	d.it.Description = cut.Bytes(d.title, 300)
	d.settle()
	return d, nil
}

// field takes up what front matter or a line under the title says. It reports whether that is a
// status.
func (d *decision) field(key string, list []string) bool {
	text := strings.Join(list, ", ")
	switch strings.ToLower(key) {
	case "status":
		d.setStatus(text)
		return true
	case "date":
		at, ok := plain.Date(text)
		if d.it.Added = at; !ok && text != "" && !strings.Contains(text, "YYYY") {
			d.problems = append(d.problems, imports.Problem{Where: d.where, Grade: imports.Partial, What: fmt.Sprintf("date: %s is no date", legible.Quoted(text, 40))})
		}
	case "tags":
		d.it.Keywords = append(d.it.Keywords, list...)
	}
	return false
}

// setStatus takes up a status, and what it says of other decisions.
func (d *decision) setStatus(text string) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(strings.TrimLeft(line, "-*+ \t"))
		if line == "" {
			continue
		}
		if d.status == "" {
			d.status = strings.ToLower(strings.Trim(legible.OneLine(adrLink().ReplaceAllString(line, "")), " .*_"))
		} else if s := adrRel().FindString(line); strings.Contains(strings.ToLower(s), "ed by") && !strings.Contains(strings.ToLower(s), "amend") {
			d.status = strings.ToLower(s)
		}
		d.relsIn(line)
	}
}

// relsIn takes up what a line says of other decisions.
func (d *decision) relsIn(line string) {
	m := adrRel().FindStringSubmatch(line)
	if m == nil {
		return
	}
	word := strings.ToLower(strings.TrimSpace(m[1] + " " + m[2]))
	for _, l := range adrLink().FindAllStringSubmatch(line, -1) {
		d.rels = append(d.rels, rel{word, cmp.Or(l[1], l[2])})
	}
}

// body takes up title, fields and status, and keeps the rest. It reports whether there is a
// status.
func (d *decision) body(text string) (status bool) {
	lines := strings.Split(text, "\n")
	plainText := isText(lines)
	var out []string
	at, level := "", 0 // the section that is read, if it is none of the rest
	begun := false     // a section began
	titled := false
	var said []string
	for i, line := range lines {
		m := headingLine().FindStringSubmatch(line)
		if m != nil && plainText[i] {
			if len(m[1]) == 1 && !titled {
				d.title, titled = cmp.Or(d.title, m[2]), true
				continue
			}
			if at == "" || len(m[1]) <= level {
				begun, at, level = true, "", len(m[1])
				if strings.EqualFold(m[2], "status") {
					at, status = "status", true
					continue
				}
				if linksWords().MatchString(m[2]) {
					at = "links"
				}
			}
		}
		switch f := adrField().FindStringSubmatch(line); {
		case at == "status":
			said = append(said, line)
			continue
		case f != nil && !begun && plainText[i]:
			key := strings.ToLower(f[1])
			if d.field(key, []string{strings.TrimSpace(f[2])}) {
				status = true
			}
			if key != "status" && key != "date" && key != "tags" && f[2] != "" {
				d.it.Extra = append(d.it.Extra, sage.Entry{Key: "adr_" + strings.ReplaceAll(key, " ", "_"), Value: f[2]})
			}
			continue
		case at == "links":
			d.relsIn(line)
		}
		out = append(out, line)
	}
	d.setStatus(strings.Join(said, "\n"))
	d.it.Content = strings.TrimSpace(strings.Join(out, "\n"))
	return status
}

// settle gives the item what its status means, keywords, and the requests that want it.
func (d *decision) settle() {
	word, _, _ := strings.Cut(d.status, " ")
	switch {
	case strings.HasPrefix(d.status, "superseded"), strings.HasPrefix(d.status, "superceded"), strings.HasPrefix(d.status, "replaced"):
		d.it.Status, d.it.Reason = sage.Deprecated, "superseded"
	case word == "deprecated", word == "rejected", word == "obsolete", word == "abandoned", word == "withdrawn":
		d.it.Status, d.it.Reason = sage.Deprecated, word
	case word == "archived":
		d.it.Status = sage.Archived
	case d.status == "" || word == "accepted" || word == "approved" || word == "done" || word == "implemented" || word == "active":
	default:
		d.it.Extra = append(d.it.Extra, sage.Entry{Key: statusKey, Value: d.status})
	}
	d.it.Keywords = legible.Each(d.it.Keywords, legible.OneLine)
	if len(d.it.Keywords) == 0 {
		d.it.Keywords = plain.Keywords(d.title)
	}
	asks := ""
	for _, s := range prose.Read(d.it.Content) {
		if prose.Asks(s.Text) {
			asks = s.Text
			break
		}
	}
	d.it.When = whenOf(asks, "why "+strings.ToLower(d.title[:1])+d.title[1:])
	if d.it.Content == "" {
		d.it.Content = d.title
	}
}

// relate makes links of what it says of others.
func (d *decision) relate(list []*decision) {
	for _, r := range d.rels {
		to := find(list, d, r.to)
		if to == nil {
			d.problems = append(d.problems, imports.Problem{Where: d.where, Grade: imports.Noted, What: fmt.Sprintf("names a decision that is not there: %s", legible.Quoted(r.to, 60))})
			continue
		}
		kind, back := sage.Related, false
		switch r.word {
		case "superseded by", "superceded by", "replaced by", "superseeded by":
			kind, back = sage.Supersedes, true
		case "supersedes", "supersede", "supercedes", "replaces":
			kind = sage.Supersedes
		case "amends", "extends", "clarifies":
			kind = sage.Extends
		case "contradicts":
			kind = sage.Contradicts
		case "amended by", "extended by", "clarified by":
			kind, back = sage.Extends, true
		}
		from, target := d, to
		if back {
			from, target = target, from
		}
		if kind == sage.Supersedes {
			target.it.Status, target.it.Reason, target.it.Replacement = sage.Deprecated, "superseded", from.file
		}
		if l := (sage.Link{Kind: kind, To: target.file}); from != target && !slices.Contains(from.it.Links, l) {
			from.it.Links = append(from.it.Links, l)
		}
	}
}

// find is the decision that a link or a number names.
func find(list []*decision, from *decision, to string) *decision {
	n, err := strconv.Atoi(to)
	file := path.Join(path.Dir(from.file), to)
	for _, same := range []func(d *decision) bool{
		func(d *decision) bool { return err == nil && d.number == n },
		func(d *decision) bool { return err != nil && d.file == file },
		func(d *decision) bool { return err != nil && path.Base(d.file) == path.Base(to) },
	} {
		if i := slices.IndexFunc(list, same); i >= 0 && list[i] != from {
			return list[i]
		}
	}
	return nil
}

// linkWords are how a decision says what it does to another, beside that it relates to it.
var linkWords = map[sage.LinkKind]string{sage.Supersedes: "Supersedes", sage.Extends: "Amends", sage.Contradicts: "Contradicts"}

// WriteDecisions writes the items that are decisions as files in the form of Nygard, by their
// names. others is how many items are none.
func WriteDecisions(items []*sage.Item) (files map[string][]byte, others int) {
	type numbered struct {
		it   *sage.Item
		name string
		n    int
	}
	var list []numbered
	byID := map[string]numbered{}
	most := 0
	for _, it := range items {
		rest, ok := strings.CutPrefix(it.ID, "adr-")
		if !ok || it.Type == sage.Todo {
			others++
			continue
		}
		x := numbered{it: it}
		if m := adrNumber().FindStringSubmatch(rest); m != nil {
			x.n, _ = strconv.Atoi(m[1])
			most = max(most, x.n)
		}
		list = append(list, x)
	}
	for i := range list {
		x := &list[i]
		if x.n == 0 {
			most++
			x.n = most
		}
		x.name = fmt.Sprintf("%04d-%s.md", x.n, cmp.Or(cut.Bytes(propose.Slug(title(x.it)), 60), "decision"))
		byID[x.it.ID] = *x
	}
	files = map[string][]byte{}
	for _, x := range list {
		var b strings.Builder
		var fields []sage.Entry
		for _, e := range x.it.Extra {
			if key, ok := strings.CutPrefix(e.Key, "adr_"); ok && e.Key != statusKey {
				fields = append(fields, sage.Entry{Key: key, Value: e.Value})
			}
		}
		if len(x.it.Keywords) > 0 {
			fields = append(fields, sage.Entry{Key: "tags", Value: tree.PlainList(x.it.Keywords)})
		}
		if len(fields) > 0 {
			b.WriteString(front(fields))
		}
		fmt.Fprintf(&b, "# %d. %s\n\n", x.n, title(x.it))
		if !x.it.Added.IsZero() {
			fmt.Fprintf(&b, "Date: %s\n\n", dateText(x.it.Added))
		}
		fmt.Fprintf(&b, "## Status\n\n%s\n\n", statusText(x.it))
		named := func(word, id string) {
			if to, ok := byID[id]; ok {
				fmt.Fprintf(&b, "%s [%d. %s](%s)\n\n", word, to.n, strings.NewReplacer("[", "(", "]", ")").Replace(title(to.it)), to.name)
			}
		}
		if x.it.Replacement != "" {
			named("Superseded by", x.it.Replacement)
		}
		for _, l := range x.it.Links {
			named(cmp.Or(linkWords[l.Kind], "Relates to"), l.To)
		}
		heading := fmt.Sprintf("%d. %s", x.n, title(x.it))
		if text := strings.TrimSpace(tried(x.it) + "\n\n" + x.it.Content); text != adrTitle().ReplaceAllString(heading, "") {
			if m := headingLine().FindStringSubmatch(strings.SplitN(text, "\n", 2)[0]); m == nil || len(m[1]) > 2 { // else it is read as the status
				b.WriteString("## Decision\n\n")
			}
			b.WriteString(text + "\n")
		}
		files[x.name] = []byte(strings.TrimRight(b.String(), "\n") + "\n")
	}
	return files, others
}

func title(it *sage.Item) string { return legible.OneLine(it.Title()) }

// dateText is a time as short as it says the same.
func dateText(at time.Time) string {
	if at = at.UTC(); at.Equal(at.Truncate(24 * time.Hour)) {
		return at.Format(time.DateOnly)
	}
	return at.Format(time.RFC3339)
}

func statusText(it *sage.Item) string {
	switch s, _ := plain.ExtraText(it.Extra, statusKey); {
	case s != "":
		return strings.ToUpper(s[:1]) + s[1:]
	case it.Status == sage.Superseded:
		return "Superseded"
	case it.Status == sage.Archived:
		return "Archived"
	case it.Status == sage.Deprecated:
		reason := cmp.Or(it.Reason, "deprecated")
		return strings.ToUpper(reason[:1]) + reason[1:]
	}
	return "Accepted"
}

// front is front matter.
func front(fields []sage.Entry) string {
	e := &tree.Emitter{}
	e.WriteString("---\n")
	for _, x := range tree.PlainEntries(fields) {
		e.Entry(0, x.Key, x.Value)
	}
	e.WriteString("---\n\n")
	return e.String()
}
