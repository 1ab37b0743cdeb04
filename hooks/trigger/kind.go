package trigger

import "github.com/git-sage/git-sage/gitstore/sage"

// A Kind is what a turn is that is worth saving; "" is none.
type Kind string

const (
	Synthesis   Kind = "synthesis"    // findings are put together, or something is decided
	BranchPoint Kind = "branch_point" // several ways are open
	Constraint  Kind = "constraint"   // a limit that a plan has to bend to
	TopicShift  Kind = "topic_shift"  // the conversation turns to something else
	Validation  Kind = "validation"   // the person agrees with a position
	Explicit    Kind = "explicit"     // the person asks for something to be saved
)

// Kinds are all kinds, the more important first: where a turn is several, it is the
// first of them. A person who wants something saved is above all; one who agrees and
// decides in the same breath agrees.
var Kinds = []Kind{Explicit, TopicShift, Validation, BranchPoint, Constraint, Synthesis}

// Trigger is what a checkpoint that is saved because of it names.
func (k Kind) Trigger() sage.Trigger {
	switch k {
	case Explicit:
		return sage.Manual
	case Constraint:
		return sage.ConstraintDiscovered
	case Validation:
		return sage.UserValidated
	}
	return sage.Trigger(k)
}

// persons reports whether only a person can say such a thing.
func (k Kind) persons() bool { return k == Validation || k == Explicit }
