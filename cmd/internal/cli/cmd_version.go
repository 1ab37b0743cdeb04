package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// version is set by the linker in releases.
var version string

func newVersionCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  usage.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return printVersion(a) },
	}
}

func printVersion(a *app.App) error {
	v, commit := a.Version()
	if a.JSON {
		return a.PrintJSON(map[string]any{
			"version": v, "commit": commit, "go": runtime.Version(),
			"os": runtime.GOOS, "arch": runtime.GOARCH, "format": 1,
		})
	}
	_, err := fmt.Fprintf(a.Out, "git-sage version %s\n", v)
	return err
}
