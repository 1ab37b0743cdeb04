package trigger

import "github.com/git-sage/git-sage/prose"

// A lexical is what a sign of prose's word lists tells: of which kind, and how much. In
// English the grammar of patterns.txt tells as well, and more finely; there a sign of the
// same name counts once. In other languages the lists are all there is.
type lexical struct {
	sign    prose.Signs
	kind    Kind
	name    string
	weight  float64
	english float64
}

// lexicals are what tells for something.
var lexicals = []lexical{
	{prose.Decides, Synthesis, "decided", 0.65, 0.6},
	{prose.Concludes, Synthesis, "outright", 0.65, 0.6},
	{prose.Causes, Synthesis, "cause", 0.6, 0.35},
	{prose.Limits, Constraint, "limit", 0.65, 0},
	{prose.Ways, BranchPoint, "ways", 0.65, 0},
	{prose.Shifts, TopicShift, "announce", 0.7, 0.45},
	{prose.Agrees, Validation, "agrees", 0.5, 0},
	{prose.Remember | prose.Always | prose.Todo | prose.Checkpoint, Explicit, "request", 0.85, 0.6},
}

// takesBack is how much a sign takes from all that its sentence tells.
var takesBack = []struct {
	sign   prose.Signs
	weight float64
}{
	{prose.Doubts, 0.75}, {prose.Plans, 0.9}, {prose.Routine, 0.6}, {prose.Reports, 0.9},
}

// byRole is what a label tells of the sentence behind it; under a heading it is less.
var byRole = map[prose.Role]struct {
	kind   Kind
	name   string
	weight float64
}{
	prose.Decision:   {Synthesis, "label", 0.8},
	prose.Conclusion: {Synthesis, "label", 0.65},
	prose.Constraint: {Constraint, "limit", 0.5},
	prose.Open:       {BranchPoint, "open", 0.3},
}

// ofHeading is the share of a label's weight that a heading tells of the first sentence below.
const ofHeading = 0.9

// structured adds what the place of a sentence tells.
func (w weights) structured(s prose.Sentence, signs prose.Signs) {
	if s.Asks || s.Part == prose.Heading || signs.Has(prose.Reports|prose.Plans) {
		return
	}
	if x, ok := byRole[prose.RoleOf(s.Label)]; ok {
		w.add(x.kind, x.name, x.weight)
	} else if x, ok := byRole[prose.RoleOf(s.Heading)]; ok && s.First {
		w.add(x.kind, x.name, ofHeading*x.weight)
	}
}

// lexical adds what the word lists tell of a sentence, less what takes it back.
func (w weights) lexical(s sentence, signs prose.Signs, english, person bool) {
	doubt := 1.0
	for _, t := range takesBack {
		if signs.Has(t.sign) {
			doubt = min(doubt, 1-t.weight)
		}
	}
	for _, x := range lexicals {
		weight := x.weight
		if english {
			weight = x.english
		}
		switch {
		case !signs.Has(x.sign) || weight == 0:
		case x.kind == Constraint && signs.Has(prose.Decides): // what is decided names limits, and is none
		case x.kind == Explicit && (signs.Has(prose.Errand) || s.asks && !signs.Has(prose.Requests)):
		case x.sign == prose.Decides && !person && english: // an agent that decides by itself takes a step
			w.add(x.kind, x.name, ofAgent*weight*doubt)
		case x.kind == Explicit || x.kind == TopicShift || x.kind == BranchPoint:
			w.add(x.kind, x.name, weight)
		case !s.asks:
			w.add(x.kind, x.name, weight*doubt)
		}
	}
}

// ofAgent is the share that a decision tells when the agent says it in plain words.
const ofAgent = 0.8

// leastSure is what an outright sign tells at least.
const leastSure = 0.55

// outright is what labels and word lists tell of a conclusion or a decision, where nothing
// takes it back.
func (w weights) outright() float64 {
	most := 0.0
	for _, name := range []string{"label", "outright", "decided"} {
		most = max(most, w[Synthesis][name])
	}
	if most < leastSure {
		return 0
	}
	return most
}

// add notes that a sign tells for a kind.
func (w weights) add(k Kind, name string, x float64) {
	if w[k] == nil {
		w[k] = map[string]float64{}
	}
	w[k][name] = max(w[k][name], x)
}

func english(l prose.Lang) bool { return l == prose.English || l == "" }
