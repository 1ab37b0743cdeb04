package admin

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// NewRedact makes 'git sage redact'.
func NewRedact(a *app.App) *cobra.Command {
	return usage.Group("redact", "Show what is redacted as a secret", "",
		&cobra.Command{
			Use: "test <file>|-",
			Example: `git sage redact test notes.md
echo 'password: hunter2secret' | git sage redact test -`,
			Short: "Print a text as it would be stored",
			Long: `Print <file>, or standard input (-), with every secret replaced, and on standard
error how many secrets each rule found. Exit with status 1 if there are any.
Nothing is stored. Define your own rules in ~/.sage/config.yaml:

    redact_rules:
      - name: badge
        pattern: 'badge-([0-9]{6})'`,
			Args: usage.ExactArgs("file"),
			RunE: func(_ *cobra.Command, args []string) error { return runRedactTest(a, args[0]) },
		},
	)
}

// redactionJSON is what redact test --json prints of a rule that fired.
type redactionJSON struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
}

func runRedactTest(a *app.App, name string) error {
	data, err := a.ReadInput(name)
	if err != nil {
		return err
	}
	r, err := app.NewRedactor(a.Home())
	if err != nil {
		return err
	}
	clean, findings, err := r.Text(string(data))
	if err != nil {
		return err
	}
	for _, f := range findings {
		if a.JSON {
			err = a.PrintJSON(redactionJSON(f))
		} else {
			a.Say("%s: %d", f.Rule, f.Count)
		}
	}
	if err == nil && !a.JSON {
		_, err = io.WriteString(a.Out, clean)
	}
	if err == nil && len(findings) > 0 {
		return exit.ErrNo
	}
	return err
}
