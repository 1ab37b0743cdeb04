package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newFsckCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "fsck",
		Short: "Check the memory for damage",
		Long: `Reads everything under refs/sage and prints what is wrong, one finding a line:
kind, what it is about, and what to do. Quiet and status 0 if all is well, status
1 if something is broken; what is only odd is a warning.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.fsck(c.Context()) },
	}
}

// findingJSON is what --json prints of a finding.
type findingJSON struct {
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
	Detail  string `json:"detail"`
	Cure    string `json:"cure,omitempty"`
	Warning bool   `json:"warning"`
}

func (a *app) fsck(ctx context.Context) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	findings, err := m.Store.Fsck(ctx)
	if err != nil {
		return err
	}
	broken := false
	for _, f := range findings {
		broken = broken || !f.Warning
		level := "error"
		if f.Warning {
			level = "warning"
		}
		if a.json {
			err = a.printJSON(findingJSON(f))
		} else {
			_, err = fmt.Fprintf(a.out, "%s: %s\n", level, oneLine(f.String()))
		}
		if err != nil {
			return err
		}
	}
	if broken {
		return errNo
	}
	return nil
}
