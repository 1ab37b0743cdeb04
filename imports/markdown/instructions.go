package markdown

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/imports"
	"github.com/git-sage/git-sage/imports/internal/plain"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/propose"
)

// Instructions is the tool of files such as CLAUDE.md and AGENTS.md.
const Instructions = "instructions"

// headingKey is the key of an item's Extra with the headings above it.
const headingKey = "heading"

// kindHeadings are the headings under which items of a type are written and known again.
var kindHeadings = []struct {
	heading string
	t       sage.ItemType
}{{"Facts", sage.Knowledge}, {"Preferences", sage.Preference}, {"Todos", sage.Todo}, {"References", sage.Reference}, {"Failures", sage.Failure}}

// maxHops is how far files that a file names are followed, as agents do.
const maxHops = 5

// An instructions reader reads a file and those that it names.
type instructions struct {
	imports.List
	f     *plain.Folder
	own   bool   // it is the project's, whose memory an export wrote into it
	about string // the folder that they are about; "" is the project
	read  []readFile
	said  map[string]bool
	heard map[string]string // by what a rule says, the file that says it first
	whole map[string]bool   // what items call the files whose rules are all known
}

// A readFile is one that was read: another name may lead to it.
type readFile struct {
	name string
	st   fs.FileInfo
}

// ReadInstructions reads files of instructions in a folder, and the files of the folder that they
// name with '@'. What several of them say comes of the first. The project's own lie in the folder
// shown; what one of a subfolder says is about that subfolder.
func ReadInstructions(dir, shown string, names ...string) (imports.Source, error) {
	f, err := plain.OpenFolder(dir, shown)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &instructions{List: imports.List{From: Instructions}, f: f, own: shown == "", said: map[string]bool{}, heard: map[string]string{}, whole: map[string]bool{}}
	for _, name := range names {
		name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
		if _, err := f.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if r.about = path.Dir(name); r.about == "." {
			r.about = ""
		}
		r.file(name, 0)
	}
	return r, nil
}

func (r *instructions) file(name string, hops int) {
	if st, err := r.f.Stat(name); err == nil {
		if i := slices.IndexFunc(r.read, func(f readFile) bool { return os.SameFile(f.st, st) }); i >= 0 {
			if was := r.read[i].name; was != name {
				r.whole[r.f.Source(name)] = r.whole[r.f.Source(was)]
				r.Say(imports.Problem{Where: r.f.Where(name), Grade: imports.Noted, What: "is the same file as " + r.f.Where(was)})
			}
			return
		}
		r.read = append(r.read, readFile{name, st})
	}
	text, problems := r.f.Text(name)
	r.Say(problems...)
	if text == "" {
		return
	}
	if plain.InConflict(text) {
		r.Say(imports.Problem{Where: r.f.Where(name), Grade: imports.Skipped, What: "git left a conflict in it", Do: "settle it there, and import again"})
		return
	}
	r.whole[r.f.Source(name)] = true
	if rest, found := withoutPart(text); found && r.own {
		text = rest
		r.Say(imports.Problem{Where: r.f.Where(name), Grade: imports.Noted, What: "left out: the part that 'git sage export' wrote", Do: "delete the marks around it to import it as well"})
	}
	h := plain.SplitHead(text)
	if h.Err != nil {
		r.Say(imports.Problem{Where: r.f.Where(name), Grade: imports.Partial, What: "front matter: " + h.Err.Error()})
	}
	body := blankComments(h.Body)
	before := strings.Count(text, "\n") - strings.Count(h.Body, "\n")
	twice := map[string]int{} // rules that another file says, by its name
	for _, b := range blocksOf(body) {
		if other := r.block(name, b, before); other != "" {
			twice[other]++
		}
	}
	for _, other := range slices.Sorted(maps.Keys(twice)) {
		r.Say(imports.Problem{Where: r.f.Where(name), Grade: imports.Noted, What: fmt.Sprintf("left out: %s that %s says too", legible.Count(twice[other], "rule"), r.f.Where(other))})
	}
	for _, to := range namedFiles(body) {
		r.follow(name, to, hops)
	}
}

// blankComments takes comments out and keeps the lines.
func blankComments(text string) string {
	return comment().ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
}

var (
	atPath   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?:^|[\\s(])@([^\\s`]+)") })
	codeSpan = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`[^`\n]*`") })
	onlyLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:see |read )?(?:\[[^\]]*\]\([^)\s]+\)|<?https?://\S+>?)[.]?$`)
	})
)

// namedFiles are what a text names with '@', outside of code.
func namedFiles(text string) (out []string) {
	lines := strings.Split(text, "\n")
	for i, ok := range isText(lines) {
		if !ok {
			continue
		}
		for _, m := range atPath().FindAllStringSubmatch(codeSpan().ReplaceAllString(lines[i], ""), -1) {
			to := strings.TrimRight(m[1], ".,;:)")
			if strings.ContainsAny(to, "/.~") && !strings.HasPrefix(to, "@") && !slices.Contains(out, to) { // else a name, as @ada
				out = append(out, to)
			}
		}
	}
	return out
}

// proseEndings are those of files that hold rules, and not code or data.
var proseEndings = []string{"", ".md", ".mdc", ".mdx", ".markdown", ".txt"}

func (r *instructions) follow(from, to string, hops int) {
	say := func(g imports.Grade, what string) {
		r.Say(imports.Problem{Where: r.f.Where(from) + ": @" + legible.OneLine(to), Grade: g, What: what})
	}
	name := path.Join(path.Dir(from), to)
	switch {
	case strings.HasPrefix(to, "~") || path.IsAbs(to) || strings.Contains(to, ":") || name == ".." || strings.HasPrefix(name, "../"):
		say(imports.Noted, "leads out of the project and was not followed")
		return
	case hops >= maxHops:
		say(imports.Skipped, fmt.Sprintf("is %d files deep and was not followed", maxHops+1))
		return
	}
	there, problem := r.f.There(name)
	switch {
	case problem != nil:
		r.Say(*problem)
	case there && !slices.Contains(proseEndings, path.Ext(name)):
		say(imports.Noted, "is no prose and was not read")
	case there:
		r.file(name, hops+1)
	case path.Ext(name) == ".md": // else it may be anything, as a scope of packages
		say(imports.Noted, "is not there")
	}
}

// block adds an item for what stands by itself, unless another file that was read says it, whose
// name it returns.
func (r *instructions) block(file string, b block, before int) (other string) {
	it := &sage.Item{Type: kindOf(b.text), Content: b.text, Source: r.f.Source(file)}
	lies := fmt.Sprintf("%s: line %d", r.f.Where(file), b.line+before)
	headings := b.headings
	if n := len(headings); n > 0 {
		if i := slices.IndexFunc(kindHeadings, func(k struct {
			heading string
			t       sage.ItemType
		}) bool {
			return strings.EqualFold(k.heading, headings[n-1])
		}); i >= 0 {
			it.Type, headings = kindHeadings[i].t, headings[:n-1]
		}
	}
	if b.open || b.done {
		it.Type = sage.Todo
	}
	switch {
	case it.Type == sage.Todo && b.done:
		it.Status = sage.Done
	case it.Type == sage.Failure && !labelled(it) && !propose.ParseFailure(it):
		it.Type = sage.Knowledge
	}
	if ruled(b.text) || onlyNames(b.text) {
		return ""
	}
	if !b.item && (strings.HasPrefix(b.text, "```") || strings.HasPrefix(b.text, "~~~") || strings.HasPrefix(b.text, "|")) {
		r.Say(imports.Problem{Where: lies, Grade: imports.Noted, What: "left out: code or a table that no sentence announces"})
		return ""
	}
	if names := r.pointsTo(file, b.text); len(names) > 0 {
		r.Say(imports.Problem{Where: lies, Grade: imports.Noted, What: "left out: it only says to read " + legible.OneLine(strings.Join(names, ", "))})
		return ""
	}
	name := plain.NameOf(file, append(slices.Clone(b.headings), b.text)...)
	if r.said[name] {
		r.Say(imports.Problem{Where: lies, Grade: imports.Noted, What: "is there twice; the first was taken"})
		return ""
	}
	r.said[name] = true
	key := sameKey(headings, b.text)
	if other := r.heard[key]; other != "" && other != file {
		return other
	}
	r.heard[key] = file
	if len(headings) > 0 {
		it.Extra = []sage.Entry{{Key: headingKey, Value: legible.OneLine(strings.Join(headings, " > "))}}
	}
	it.When = whenUnder(headings)
	it.Keywords = plain.Keywords(b.text)
	if r.about != "" {
		it.Scope.Paths = []string{r.about}
	}
	first, _, _ := strings.Cut(cmp.Or(it.Approach, b.text), "\n")
	it.ID = propose.IDFor(it.Type, first)
	r.Add(lies, name, it)
	return ""
}

// leastAlone is how long a rule is at least that says the same under any heading, in bytes.
const leastAlone = 16

// sameKey is a rule as far as its words count; a short one goes with the heading above it, if that
// is not the title of the file.
func sameKey(headings []string, text string) string {
	key := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	if len(key) < leastAlone && len(headings) > 1 {
		return strings.ToLower(headings[len(headings)-1]) + "\n" + key
	}
	return key
}

// onlyNames reports whether a text names files with '@' and says next to nothing else.
func onlyNames(text string) bool {
	rest := atPath().ReplaceAllString(text, " ")
	return rest != text && len(namedFiles(text)) > 0 && len(strings.Fields(rest)) <= 3
}

// pointer is a sentence that says to read a file, such as "For releases see @docs/release.md".
var pointer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[\s(])(?:see|read|refer to|consult|check|follow|details (?:are )?in|documented in|described in|siehe|vgl\.|lies|voir|consulter|véase|consulta)(?: also)?:? @`)
})

// pointsTo are the files that a single sentence says to read, nil if it says more than that. What
// an agent would find there is imported from there.
func (r *instructions) pointsTo(file, text string) []string {
	if strings.ContainsAny(text, "\n;") || sentenceEnd().MatchString(text) || !pointer().MatchString(text) {
		return nil
	}
	names := namedFiles(text)
	for _, to := range names {
		if there, _ := r.f.There(path.Join(path.Dir(file), to)); !there && path.Ext(to) != ".md" {
			return nil // it may be anything, as a scope of packages
		}
	}
	return names
}

// sentenceEnd is where one sentence ends and another begins.
var sentenceEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.!?] +\S`) })

// labelled takes out of the content of a failure what [sage.Item.Text] labels. It reports
// whether that says what was tried.
func labelled(it *sage.Item) bool {
	var rest []string
	for _, part := range strings.Split(it.Content, "\n\n") {
		switch label, text, _ := strings.Cut(part, ": "); {
		case label == "Approach" && it.Approach == "":
			it.Approach = text
		case label == "Why it failed" && it.WhyFailed == "":
			it.WhyFailed = text
		case label == "Learned" && it.Learned == "":
			it.Learned = text
		default:
			rest = append(rest, part)
		}
	}
	if it.Approach == "" {
		it.WhyFailed, it.Learned = "", ""
		return false
	}
	it.Content = strings.Join(rest, "\n\n")
	return true
}

// ruled reports whether a text is a line across the page, or has no letter.
func ruled(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' })
}

// kindOf is the type of an item that says a text.
func kindOf(text string) sage.ItemType {
	if onlyLink().MatchString(strings.ToLower(text)) {
		return sage.Reference
	}
	if list := propose.From(text); len(list) > 0 && list[0].Why == propose.Preference {
		return sage.Preference
	}
	return sage.Knowledge
}

// maxWhen is how long a request is that is proposed, in bytes.
const maxWhen = 150

// whenUnder are the requests that want what stands under headings: their own words, without
// the title of the file.
func whenUnder(headings []string) []string {
	if len(headings) > 1 {
		headings = headings[1:]
	}
	return whenOf(strings.Join(headings, ": "))
}

// whenOf are requests as an item may have them.
func whenOf(list ...string) (out []string) {
	for _, s := range list {
		s = strings.Trim(legible.OneLine(strings.NewReplacer("`", "", "**", "", "__", "").Replace(s)), " .")
		if s = cut.Bytes(s, maxWhen); s != "" && !slices.Contains(out, s) && len(out) < 5 {
			out = append(out, s)
		}
	}
	return out
}

// WriteInstructions writes items as a file of instructions. Those that no longer hold are left
// out, and counted: whoever reads the file follows all of it.
func WriteInstructions(items []*sage.Item) (data []byte, left int) {
	under := map[string][]*sage.Item{}
	var order []string
	for _, it := range items {
		if it.Status == sage.Deprecated || it.Status == sage.Archived || it.Status == sage.Superseded {
			left++
			continue
		}
		h, _ := plain.ExtraText(it.Extra, headingKey)
		if under[h] == nil {
			order = append(order, h)
		}
		under[h] = append(under[h], it)
	}
	slices.Sort(order)
	var b strings.Builder
	var at []string
	for _, h := range order {
		var path []string
		if h != "" {
			path = strings.Split(h, " > ")
		}
		same := 0
		for same < min(len(at), len(path)) && at[same] == path[same] {
			same++
		}
		for i := same; i < len(path); i++ {
			fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", min(i+1, 5)), path[i])
		}
		at = path
		for _, k := range kindHeadings {
			writeKind(&b, k.heading, k.t, under[h], min(len(path)+1, 6))
		}
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n"), left
}

// writeKind writes the items of a type below a heading of their own.
func writeKind(b *strings.Builder, heading string, t sage.ItemType, items []*sage.Item, level int) {
	begun := false
	for _, it := range items {
		if it.Type != t {
			continue
		}
		if !begun {
			fmt.Fprintf(b, "%s %s\n\n", strings.Repeat("#", level), heading)
			begun = true
		}
		mark, tick := "- ", ""
		switch {
		case t == sage.Todo && it.Status == sage.Done:
			tick = "[x] "
		case t == sage.Todo:
			tick = "[ ] "
		}
		b.WriteString(indented(mark, tick+it.Text()))
	}
	if begun {
		b.WriteByte('\n')
	}
}
