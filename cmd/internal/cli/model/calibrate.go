package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/similarity"
)

func newModelCalibrateCmd(a *app.App) *cobra.Command {
	var store bool
	c := &cobra.Command{
		Use:   "calibrate [--store] [<name>]",
		Short: "Calibrate the scores of a model",
		Long: `Unrelated texts have a cosine of .75 with one model and of .05 with another.
Measure what is usual for a model, by default the one in use, so that one
threshold serves all: on built-in pairs of a prompt and a text or, with --store,
on at least 30 items here that have keywords, compared with e5-small-v2. The
result is stored for a server's or an ONNX model; 'git sage model use' does this
once by itself.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeModels(a),
		RunE: func(c *cobra.Command, args []string) error {
			return runCalibrate(c.Context(), a, append(args, "")[0], store)
		},
	}
	c.Flags().BoolVar(&store, "store", false, "measure on the items here instead of built-in pairs")
	return c
}

// calibrationJSON is what model calibrate --json prints.
type calibrationJSON struct {
	Model string  `json:"model"`
	Pairs string  `json:"pairs"` // built in, or how many of the store
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Pair  float64 `json:"pair"` // the centred cosine that scores are measured in
	Kept  bool    `json:"kept"`
}

func runCalibrate(ctx context.Context, a *app.App, name string, store bool) error {
	m, c, err := a.OpenConfig(ctx)
	if err != nil {
		return err
	}
	e, err := modelAsked(a, m, name)
	if err != nil {
		return err
	}
	if name = cmp.Or(name, c.String(models.ProseKey)); c.String(models.EmbedderKey) == "http" {
		name = e.Model().Name
	}
	pairs, made := "built in", (*rank.Calibration)(nil)
	if store {
		made, pairs, err = calibrateOn(ctx, a, m, e)
	} else {
		made, err = rank.Calibrate(ctx, e)
	}
	if err != nil {
		return err
	}
	kept, err := keepCalibration(e, made)
	if err != nil {
		return err
	}
	return printCalibration(a, calibrationJSON{name, pairs, made.Low, made.High, made.Pair, kept})
}

// modelAsked is the model of a name, or the one in use.
func modelAsked(a *app.App, m *recall.Memory, name string) (embed.Embedder, error) {
	if name != "" {
		e, err := a.Models().Named(name)
		if err != nil {
			return nil, a.Models().Hint(err)
		}
		return e, nil
	}
	e, err := a.ProseModel(m.Store)
	if err == nil && e == nil {
		err = errors.New("there is no model: only words are compared")
	}
	return e, err
}

// calibrateOn measures on what the store holds, beside the model that is built in.
func calibrateOn(ctx context.Context, a *app.App, m *recall.Memory, e embed.Embedder) (*rank.Calibration, string, error) {
	if a.Weights.Prose == "" {
		return nil, "", errors.New("--store needs the built-in model to compare with, and this git-sage has none")
	}
	reference, err := embed.OpenBert(a.Weights.Prose)
	if err != nil {
		return nil, "", err
	}
	c, n, err := m.Similarity.CalibrateOn(ctx, e, reference)
	if errors.Is(err, similarity.ErrFewPairs) {
		err = exit.WithHint(err, "leave out --store to use the built-in pairs")
	}
	return c, legible.Count(n, "item"), err
}

// keepCalibration writes it where the model has a place for it: for those that are
// built in it is in the program.
func keepCalibration(e embed.Embedder, c *rank.Calibration) (bool, error) {
	k, ok := e.(interface{ CalibrationFile() string })
	if !ok {
		return false, nil
	}
	return true, c.Write(k.CalibrationFile())
}

func printCalibration(a *app.App, c calibrationJSON) error {
	if a.JSON {
		return a.PrintJSON(c)
	}
	_, err := fmt.Fprintf(a.Out, "%s: unrelated texts %.2f, a prompt and its text %.2f; without what all have in common %.2f (%s)\n",
		c.Model, c.Low, c.High, c.Pair, c.Pairs)
	if !c.Kept && err == nil {
		a.Say("%s is built in and already calibrated: nothing was changed", c.Model)
	}
	return err
}
