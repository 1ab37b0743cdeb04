package draft

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/ingest"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
)

// Fields are the options that give the fields of a checkpoint: save, edit
// and merge share them. An option that was given replaces what a file or an
// older checkpoint says; fields and domain data are replaced key by key.
type Fields struct {
	cmd *cobra.Command

	text    map[string]*string   // by option
	lists   map[string]*[]string // by option
	numbers map[string]*int      // by option

	confidence float64
}

// A textField is an option with one value, and where it goes.
type textField struct {
	option, short, usage string
	at                   func(*sage.Checkpoint) *string
}

var textFields = []textField{
	{"thesis", "m", "the `position` you hold now", func(c *sage.Checkpoint) *string { return &c.Thesis }},
	{"core-question", "", "the `question` that the research is to answer", func(c *sage.Checkpoint) *string { return &c.CoreQuestion }},
	{"reasoning-trace", "", "how the thesis was reached, as `text`", func(c *sage.Checkpoint) *string { return &c.ReasoningTrace }},
	{"action-goal", "", "the `goal` of the research", func(c *sage.Checkpoint) *string { return &c.Action.Goal }},
	{"action-type", "", "the `type` of action: decision, implementation, output, learning or exploration", func(c *sage.Checkpoint) *string { return &c.Action.Type }},
	{"deadline", "", "when the action is due, as `text`", func(c *sage.Checkpoint) *string { return &c.Action.Deadline }},
	{"domain", "", "the `domain`: general, competitive_intel, technical, literature or your own", func(c *sage.Checkpoint) *string { return &c.Domain }},
	{"skill", "", "the `skill` that it belongs to", func(c *sage.Checkpoint) *string { return &c.Skill }},
	{"project", "", "the project `name`; the repository's by default", func(c *sage.Checkpoint) *string { return &c.Project }},
	{"template", "", "use the template `name`", func(c *sage.Checkpoint) *string { return &c.Template }},
	{"description", "", "the `line` that lists show; the first sentence of the thesis by default", func(c *sage.Checkpoint) *string { return &c.Description }},
	{"agent", "", "the `agent` that reached the thesis", func(c *sage.Checkpoint) *string { return &c.Agent }},
}

// A listField is an option that may be repeated. set gets all of its values.
type listField struct {
	option, usage string
	set           func(*sage.Checkpoint, []string) error
}

var listFields = sync.OnceValue(func() []listField {
	return []listField{
		{"key-evidence", "a `fact` that supports the thesis (repeatable)", plain(func(c *sage.Checkpoint) *[]string { return &c.KeyEvidence })},
		{"open-question", "a `question` that is still open (repeatable)", plain(func(c *sage.Checkpoint) *[]string { return &c.OpenQuestions })},
		{"source", "a `source`: a name, 'name: take', 'id:type:relation:take', or 'id=..;type=..;relation=..;take=..' (repeatable)", structured(shorthand.ParseSource, func(c *sage.Checkpoint) *[]sage.Source { return &c.Sources })},
		{"tension", "a `tension`: 'a vs b: nature [unresolved|resolved|moot]' (repeatable)", structured(parseTension, func(c *sage.Checkpoint) *[]sage.Tension { return &c.Tensions })},
		{"unique-contribution", "an `item`: 'discovery|experiment|synthesis|internal_knowledge: content' (repeatable)", structured(parseContribution, func(c *sage.Checkpoint) *[]sage.Contribution { return &c.UniqueContributions })},
		{"stakeholder", "a `person` or group that the action concerns (repeatable)", plain(func(c *sage.Checkpoint) *[]string { return &c.Action.Stakeholders })},
		{"code-ref", "a code `reference`: file[:from-to][:supports|:contradicts|:context|:stale] (repeatable)", structured(shorthand.ParseCodeRef, func(c *sage.Checkpoint) *[]sage.CodeRef { return &c.CodeRefs })},
		{"file-explored", "a `file` that was read (repeatable)", plain(func(c *sage.Checkpoint) *[]string { return &c.FilesExplored })},
		{"file-changed", "a `file` that was changed (repeatable)", plain(func(c *sage.Checkpoint) *[]string { return &c.FilesChanged })},
		{"knowledge-recalled", "the `id` of an item that was recalled (repeatable)", plain(func(c *sage.Checkpoint) *[]string { return &c.KnowledgeRecalled })},
		{"domain-data", "a `key=value` of the domain, or a JSON object (repeatable)", keyed("domain-data", func(c *sage.Checkpoint) *map[string]any { return &c.DomainData })},
		{"field", "a `key=value` of the template (repeatable)", keyed("field", func(c *sage.Checkpoint) *map[string]any { return &c.Fields })},
	}
})

// noneFields are the fields of options that take the word none: there are none, and a merge
// brings none back.
var noneFields = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"key-evidence": "key_evidence", "open-question": "open_questions", "source": "sources", "tension": "tensions",
		"unique-contribution": "unique_contributions", "stakeholder": "action_stakeholders", "code-ref": "code_refs",
		"file-explored": "files_explored", "file-changed": "files_changed", "domain-data": "domain_data", "field": "fields",
	}
})

type numberField struct {
	option, usage string
	at            func(*sage.Checkpoint) *int
}

var numberFields = []numberField{
	{"message-count", "the conversation had `n` turns so far", func(c *sage.Checkpoint) *int { return &c.MessageCount }},
	{"token-estimate", "the conversation had `n` tokens so far", func(c *sage.Checkpoint) *int { return &c.TokenEstimate }},
}

func plain(at func(*sage.Checkpoint) *[]string) func(*sage.Checkpoint, []string) error {
	return func(c *sage.Checkpoint, values []string) error {
		*at(c) = values
		return nil
	}
}

func structured[T any](parse func(string) (T, error), at func(*sage.Checkpoint) *[]T) func(*sage.Checkpoint, []string) error {
	return func(c *sage.Checkpoint, values []string) error {
		var list []T
		for _, v := range values {
			t, err := parse(v)
			if err != nil {
				return err
			}
			list = append(list, t)
		}
		*at(c) = list
		return nil
	}
}

func keyed(option string, at func(*sage.Checkpoint) *map[string]any) func(*sage.Checkpoint, []string) error {
	return func(c *sage.Checkpoint, values []string) error {
		if *at(c) == nil {
			*at(c) = map[string]any{}
		}
		given := map[string]any{}
		for _, v := range values {
			if err := parseData(option, v, given); err != nil {
				return err
			}
		}
		maps.Copy(*at(c), given)
		return nil
	}
}

// AddFields gives cmd the options. Lists are arrays, not comma-separated
// slices: evidence holds commas.
func AddFields(cmd *cobra.Command) *Fields {
	f := &Fields{cmd: cmd, text: map[string]*string{}, lists: map[string]*[]string{}, numbers: map[string]*int{}}
	fl := cmd.Flags()
	fl.SortFlags = false
	for _, t := range textFields {
		f.text[t.option] = fl.StringP(t.option, t.short, "", t.usage)
	}
	for _, l := range listFields() {
		f.lists[l.option] = fl.StringArray(l.option, nil, l.usage)
	}
	for _, n := range numberFields {
		f.numbers[n.option] = fl.Int(n.option, 0, n.usage)
	}
	f.text["trigger"] = fl.String("trigger", "", "the `reason` for saving: manual, synthesis, branch-point, constraint-discovered, topic-shift, user-validated, ...")
	fl.VarP((*usage.Share)(&f.confidence), "confidence", "c", "confidence in the thesis, `0..1` or a percentage")
	return f
}

// Changed reports whether an option was used.
func (f *Fields) Changed(option string) bool { return f.cmd.Flags().Changed(option) }

// Given reports whether any of the options was used.
func (f *Fields) Given() bool {
	for option := range f.text {
		if f.Changed(option) {
			return true
		}
	}
	for option := range f.lists {
		if f.Changed(option) {
			return true
		}
	}
	return f.Changed("message-count") || f.Changed("token-estimate") || f.Changed("confidence")
}

// Apply lays the options that were given over c.
func (f *Fields) Apply(c *sage.Checkpoint) error {
	for _, t := range textFields {
		if f.Changed(t.option) {
			*t.at(c) = givenText(*f.text[t.option])
		}
	}
	for _, n := range numberFields {
		if f.Changed(n.option) {
			if *f.numbers[n.option] < 0 {
				return usage.Errorf("--%s is a count, not %d", n.option, *f.numbers[n.option])
			}
			*n.at(c) = *f.numbers[n.option]
		}
	}
	if f.Changed("trigger") {
		c.Trigger = triggerOf(*f.text["trigger"])
	}
	if f.Changed("confidence") {
		v := f.confidence
		c.Confidence = &v
	}
	if err := f.applyLists(c); err != nil {
		return err
	}
	return f.check(c)
}

// givenText is the value of an option: white space alone is none.
func givenText(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// check finds words and numbers that options may not hold: what is wrong in a file
// is found when it is saved, and is no mistake on the command line.
func (f *Fields) check(c *sage.Checkpoint) error {
	var given sage.Checkpoint
	for option, take := range map[string]func(){
		"confidence":          func() { given.Confidence = c.Confidence },
		"trigger":             func() { given.Trigger = c.Trigger },
		"action-type":         func() { given.Action.Type = c.Action.Type },
		"source":              func() { given.Sources = c.Sources },
		"tension":             func() { given.Tensions = c.Tensions },
		"unique-contribution": func() { given.UniqueContributions = c.UniqueContributions },
		"code-ref":            func() { given.CodeRefs = c.CodeRefs },
	} {
		if f.Changed(option) {
			take()
		}
	}
	if err := validate.Checkpoint(&given); err != nil {
		return usage.Errorf("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

func (f *Fields) applyLists(c *sage.Checkpoint) error {
	for _, l := range listFields() {
		if !f.Changed(l.option) {
			continue
		}
		if values := *f.lists[l.option]; noneFields()[l.option] != "" && slices.ContainsFunc(values, sage.IsNone) {
			if len(values) > 1 {
				return usage.Errorf("'--%s none' cannot be used with other values", l.option)
			}
			c.SayNone(noneFields()[l.option])
			continue
		}
		if err := l.set(c, *f.lists[l.option]); err != nil {
			return usage.Errorf("%v", err)
		}
		c.SettleNone()
	}
	return nil
}

// triggerOf reads a trigger as a file would spell it: the older names of one
// count too.
func triggerOf(word string) sage.Trigger {
	text, err := json.Marshal(map[string]string{"trigger": word})
	if err != nil {
		return sage.Trigger(word)
	}
	if c, _ := ingest.Parse(text, "json"); c != nil {
		return c.Trigger
	}
	return sage.Trigger(word)
}
