package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// embedPairs are texts that say the same in other words, and ones that have nothing to
// do with each other.
var embedPairs = []struct {
	A, B  string
	Alike bool
}{
	{"how do I roll out a new version?", "Deployments are started with make release.", true},
	{"why is the test database empty every Monday?", "The staging data is wiped on Sunday night.", true},
	{"how do I roll out a new version?", "The cat sleeps on the warm window sill.", false},
	{"why is the test database empty every Monday?", "Preheat the oven and beat three eggs.", false},
}

// NewEmbedTest makes 'git sage admin embedtest'.
func NewEmbedTest(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "embedtest",
		Short: "Test the embedding model",
		Long: `Embed a few pairs of texts with embedding_model and print how similar each pair
is and how long a text takes. Exit with status 1 unless pairs that mean the same
are more similar than pairs that do not. With --json, each pair is {"model",
"a", "b", "alike", "cosine", "ms"}.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runEmbedTest(c.Context(), a) },
	}
}

// tested is what embedtest --json prints of a pair.
type tested struct {
	Model  string  `json:"model"`
	A      string  `json:"a"`
	B      string  `json:"b"`
	Alike  bool    `json:"alike"`
	Cosine float64 `json:"cosine"`
	MS     float64 `json:"ms"` // that the two took
}

func runEmbedTest(ctx context.Context, a *app.App) error {
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	e, err := a.ProseModel(m.Store)
	if e == nil {
		if err == nil {
			err = errors.New("there is no model: only words are compared")
		}
		return err
	}
	if err != nil {
		a.Warn("%v", err)
	}
	t := term.Table{Head: []string{"cosine", "ms", "alike", "texts"}}
	near, far := 1.0, -1.0 // the farthest of those alike, the nearest of the others
	for _, p := range embedPairs {
		start := time.Now()
		q, err := e.Queries(ctx, []string{p.A})
		if err != nil {
			return err
		}
		d, err := e.Documents(ctx, []string{p.B})
		if err != nil {
			return err
		}
		took := float64(time.Since(start).Microseconds()) / 1000
		r := tested{e.Model().Name, p.A, p.B, p.Alike, cosine(q[0], d[0]), took}
		if p.Alike {
			near = min(near, r.Cosine)
		} else {
			far = max(far, r.Cosine)
		}
		if a.JSON {
			if err := a.PrintJSON(r); err != nil {
				return err
			}
		}
		t.Add(fmt.Sprintf("%.3f", r.Cosine), fmt.Sprintf("%.1f", r.MS), map[bool]string{true: "yes", false: "no"}[r.Alike], r.A+" / "+r.B)
	}
	if !a.JSON {
		if err := t.Print(&a.Terminal); err != nil {
			return err
		}
	}
	if near <= far {
		a.Warn("%s does not work: unrelated texts are as similar as texts that mean the same", e.Model().Name)
		return exit.ErrNo
	}
	a.Say("%s works: texts that mean the same are at least %.3f similar, others at most %.3f", e.Model().Name, near, far)
	return nil
}

// cosine is that of two vectors of length 1.
func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
