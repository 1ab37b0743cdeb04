package distill

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/converse"
)

// Settings say who distils. Only the user's own configuration sets them.
type Settings struct {
	Target string // claude, or the address of an endpoint; "" and off are nobody
	Model  string // "" is the target's own choice
	KeyEnv string // environment variable with the endpoint's key; "" is the usual one of a known host
	Tokens int    // a day
}

// Off is the target that distils nothing.
const Off = "off"

// setting is the key of the settings, as errors name it.
const setting = "distill"

// IsOn reports whether anybody distils.
func (s Settings) IsOn() bool { return s.Target != "" && s.Target != Off }

// A Use is what an answer cost.
type Use struct {
	Model         string
	Input, Output int     // tokens
	Dollars       float64 // 0 is not known
}

func useOf(u converse.Usage, model string) Use {
	return Use{Model: model, Input: u.Sent(), Output: u.Output}
}

// A reply is what a model answered.
type reply struct {
	json []byte
	use  Use
}

// A model answers.
type model interface {
	ask(ctx context.Context, conversation string) (reply, error)
	identity() string // changes with who is asked and how it logs in; holds no secret
}

func (s Settings) model(w converse.World) (model, error) {
	if s.Target == converse.Claude {
		return &claude{s, converse.Program{World: w, Setting: setting}}, nil
	}
	return newEndpoint(s, w)
}

// ErrEmpty is an answer that said nothing that was said.
var ErrEmpty = errors.New("nothing in the answer can be found in the conversation")

// Identity names who would be asked, and how they log in: what was refused is asked again
// when it changes.
func (s Settings) Identity(w converse.World) string {
	m, err := s.model(w)
	if err != nil {
		return err.Error()
	}
	return m.identity()
}

// A Result is what is left of an answer.
type Result struct {
	Answer
	Use Use

	said string // what it was made of
}

// Distil asks the model, and keeps of its answer what was said. Its use is known, as far as
// the model tells, also behind an error.
func Distil(ctx context.Context, s Settings, w converse.World, c Conversation) (Result, error) {
	m, err := s.model(w)
	if err != nil {
		return Result{}, err
	}
	r, err := m.ask(ctx, c.fenced())
	res := Result{Use: r.use, said: c.said}
	if err != nil {
		return res, err
	}
	a, err := parseAnswer(r.json)
	if err != nil {
		return res, err
	}
	res.Answer = a.check(c)
	if res.isEmpty() {
		err = fmt.Errorf("%w (%d entries)", ErrEmpty, res.Dropped)
	}
	return res, err
}

// Estimate is how many tokens a request takes at most, by its bytes: three of them make a
// token of English or code, and one character of Chinese.
func Estimate(c Conversation) int {
	return (len(c.Text)+len(instructions)+len(schema()))/3 + maxOutput/4
}

// maxOutput bounds an answer, in tokens.
const maxOutput = 8000

// String says who distils, for people.
func (s Settings) String() string {
	if s.Target == converse.Claude {
		return "claude (" + cmp.Or(s.Model, claudeModel) + ")"
	}
	return s.Target
}
