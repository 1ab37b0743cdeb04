package diff

import (
	"maps"
	"reflect"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// A Difference is what one checkpoint thinks and another does not. As JSON,
// what is equal is left out.
type Difference struct {
	From string `json:"from,omitempty"` // id of the first, if it has one
	To   string `json:"to,omitempty"`   // id of the second

	CoreQuestion    *Change[string]        `json:"core_question,omitempty"`
	Thesis          *Change[string]        `json:"thesis,omitempty"`
	Confidence      *Change[*float64]      `json:"confidence,omitempty"`       // 0..1; null when not given
	ComponentTheses []sage.ComponentThesis `json:"component_theses,omitempty"` // of the second, if its thesis changed and needs synthesis
	Reasoning       *Change[string]        `json:"reasoning_trace,omitempty"`

	AddedConclusions   []sage.Contribution `json:"added_conclusions,omitempty"` // unique contributions
	DroppedConclusions []sage.Contribution `json:"dropped_conclusions,omitempty"`
	NewEvidence        []string            `json:"new_evidence,omitempty"`
	DroppedEvidence    []string            `json:"dropped_evidence,omitempty"`
	QuestionsRaised    []string            `json:"questions_raised,omitempty"`
	QuestionsAnswered  []string            `json:"questions_answered,omitempty"` // open before, and no longer

	NewSources     []sage.Source         `json:"new_sources,omitempty"`
	DroppedSources []sage.Source         `json:"dropped_sources,omitempty"`
	ChangedSources []Change[sage.Source] `json:"changed_sources,omitempty"`

	TensionsOpened  []sage.Tension         `json:"tensions_opened,omitempty"`  // new, or opened again
	TensionsSettled []sage.Tension         `json:"tensions_settled,omitempty"` // resolved or moot now; or no longer there, which has the resolution "dropped"
	ChangedTensions []Change[sage.Tension] `json:"changed_tensions,omitempty"` // what is neither opened nor settled

	ChangedFields   []Change[any]          `json:"changed_fields,omitempty"` // action, domain, skill, project, template, and custom ones: key is action.goal, domain_data.x, ...
	FilesExplored   *Delta                 `json:"files_explored,omitempty"`
	FilesChanged    *Delta                 `json:"files_changed,omitempty"`
	NewCodeRefs     []sage.CodeRef         `json:"new_code_refs,omitempty"`
	DroppedCodeRefs []sage.CodeRef         `json:"dropped_code_refs,omitempty"`
	ChangedCodeRefs []Change[sage.CodeRef] `json:"changed_code_refs,omitempty"`
}

// A Change is a value before and after.
type Change[T any] struct {
	Key        string `json:"key,omitempty"` // which value, if that does not go without saying
	Previously T      `json:"previously"`
	Now        T      `json:"now"`
}

// A Delta is what came to a list and what left it.
type Delta struct {
	New     []string `json:"new,omitempty"`
	Dropped []string `json:"dropped,omitempty"`
}

// Checkpoints compares what a and b think. A nil checkpoint is an empty one. Order, the
// type of a contribution, and what only says how a checkpoint came about (time,
// trigger, counts, ...) make no difference.
func Checkpoints(a, b *sage.Checkpoint) Difference {
	if a == nil {
		a = &sage.Checkpoint{}
	}
	if b == nil {
		b = &sage.Checkpoint{}
	}
	d := Difference{From: a.ID, To: b.ID}
	d.CoreQuestion = change(a.CoreQuestion, b.CoreQuestion)
	d.Reasoning = change(a.ReasoningTrace, b.ReasoningTrace)
	d.position(a, b)
	d.AddedConclusions, d.DroppedConclusions, _ = compare(byContent, a.UniqueContributions, b.UniqueContributions)
	d.NewEvidence, d.DroppedEvidence, _ = compare(bySelf, a.KeyEvidence, b.KeyEvidence)
	d.QuestionsRaised, d.QuestionsAnswered, _ = compare(bySelf, a.OpenQuestions, b.OpenQuestions)
	d.sources(a.Sources, b.Sources)
	d.tensions(a.Tensions, b.Tensions)
	d.fields(a, b)
	d.FilesExplored = delta(a.FilesExplored, b.FilesExplored)
	d.FilesChanged = delta(a.FilesChanged, b.FilesChanged)
	d.NewCodeRefs, d.DroppedCodeRefs, d.ChangedCodeRefs = compare(merge.CodeRefRule.Key, a.CodeRefs, b.CodeRefs)
	return d
}

// Empty reports whether there is no difference, whatever the ids.
func (d Difference) Empty() bool {
	d.From, d.To = "", ""
	return reflect.ValueOf(d).IsZero()
}

func change[T comparable](a, b T) *Change[T] {
	if a == b {
		return nil
	}
	return &Change[T]{Previously: a, Now: b}
}

func delta(a, b []string) *Delta {
	var d Delta
	d.New, d.Dropped, _ = compare(bySelf, a, b)
	if d.New == nil && d.Dropped == nil {
		return nil
	}
	return &d
}

func (d *Difference) position(a, b *sage.Checkpoint) {
	theses := func(c *sage.Checkpoint) []sage.ComponentThesis {
		if c.Thesis != sage.NeedsSynthesis {
			return nil
		}
		return c.ComponentTheses
	}
	added, dropped, _ := compare(func(t sage.ComponentThesis) string { return t.Thesis }, theses(a), theses(b))
	if a.Thesis != b.Thesis || len(added)+len(dropped) > 0 {
		d.Thesis = &Change[string]{Previously: a.Thesis, Now: b.Thesis}
		d.ComponentTheses = slices.Clone(theses(b))
	}
	if before, after := merge.Number(a.Confidence), merge.Number(b.Confidence); !merge.EqualFloat(before, after) {
		d.Confidence = &Change[*float64]{Previously: before, Now: after}
	}
}

func bySelf(s string) string               { return s }
func byContent(c sage.Contribution) string { return c.Content }

// compare tells what b has and a has not, the other way round, and what both
// have in different form, in the order of the list that has it.
func compare[T any](key func(T) string, a, b []T) (added, dropped []T, changed []Change[T]) {
	before, after := index(key, a), index(key, b)
	for _, k := range after.Keys {
		now := after.Items[k]
		old, ok := before.Items[k]
		if !ok {
			added = append(added, now)
		} else if !reflect.DeepEqual(old, now) {
			changed = append(changed, Change[T]{Previously: old, Now: now})
		}
	}
	for _, k := range before.Keys {
		if _, ok := after.Items[k]; !ok {
			dropped = append(dropped, before.Items[k])
		}
	}
	return added, dropped, changed
}

// index puts a list into a shelf; of items with one key the last one counts.
func index[T any](key func(T) string, list []T) merge.Shelf[T] {
	return merge.Rule[T]{Key: key, Merge: func(_, _, last T) T { return last }}.Shelve(list)
}

// sources takes a source for the same if id and identifier are, and of what
// then remains those with the same id.
func (d *Difference) sources(a, b []sage.Source) {
	added, dropped, changed := compare(merge.SourceRule.Key, a, b)
	byID := map[string]sage.Source{}
	for _, s := range dropped {
		if s.ID != "" {
			byID[s.ID] = s
		}
	}
	for _, s := range added {
		if old, ok := byID[s.ID]; ok {
			changed = append(changed, Change[sage.Source]{Previously: old, Now: s})
			delete(byID, s.ID)
			dropped = slices.DeleteFunc(dropped, func(s sage.Source) bool { return s == old })
			continue
		}
		d.NewSources = append(d.NewSources, s)
	}
	if len(dropped) > 0 {
		d.DroppedSources = dropped
	}
	d.ChangedSources = changed
}

func (d *Difference) tensions(a, b []sage.Tension) {
	added, dropped, changed := compare(merge.TensionRule.Key, a, b)
	for _, t := range added {
		if isSettled(t) {
			d.TensionsSettled = append(d.TensionsSettled, t)
		} else {
			d.TensionsOpened = append(d.TensionsOpened, t)
		}
	}
	for _, c := range changed {
		switch before, after := isSettled(c.Previously), isSettled(c.Now); {
		case !before && after:
			d.TensionsSettled = append(d.TensionsSettled, c.Now)
		case before && !after:
			d.TensionsOpened = append(d.TensionsOpened, c.Now)
		case c.Previously.Resolution != c.Now.Resolution:
			d.ChangedTensions = append(d.ChangedTensions, c)
		}
	}
	for _, t := range dropped {
		t.Resolution = "dropped"
		d.TensionsSettled = append(d.TensionsSettled, t)
	}
}

func isSettled(t sage.Tension) bool { return t.Resolution == "resolved" || t.Resolution == "moot" }

func (d *Difference) fields(a, b *sage.Checkpoint) {
	before, after := looseFields(a), looseFields(b)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	for _, k := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		if merge.Encode(merge.FacetsOf(after[k])) != merge.Encode(merge.FacetsOf(before[k])) {
			d.ChangedFields = append(d.ChangedFields, Change[any]{k, before[k], after[k]})
		}
	}
}

// looseFields are the fields that have no list of their own in a difference, if
// they are set.
func looseFields(c *sage.Checkpoint) map[string]any {
	m := map[string]any{}
	for k, v := range map[string]string{
		"action.goal": c.Action.Goal, "action.type": c.Action.Type, "action.deadline": c.Action.Deadline,
		"domain": c.Domain, "skill": c.Skill, "project": c.Project, "template": c.Template,
	} {
		if v != "" {
			m[k] = v
		}
	}
	if len(c.Action.Stakeholders) > 0 {
		m["action.stakeholders"] = tree.PlainList(c.Action.Stakeholders)
	}
	for k, v := range c.DomainData {
		m["domain_data."+k] = tree.Finite(v)
	}
	for k, v := range c.Fields {
		m["fields."+k] = tree.Finite(v)
	}
	for _, e := range c.Extra {
		m["extra."+e.Key] = tree.Finite(e.Value)
	}
	return m
}
