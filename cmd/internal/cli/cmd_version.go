package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// version is set by the linker in releases.
var version string

func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  usage.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.version() },
	}
}

func (a *app) version() error {
	v, commit := buildVersion()
	if a.JSON {
		return a.PrintJSON(map[string]any{
			"version": v, "commit": commit, "go": runtime.Version(),
			"os": runtime.GOOS, "arch": runtime.GOARCH, "format": 1,
		})
	}
	_, err := fmt.Fprintf(a.Out, "git-sage version %s\n", v)
	return err
}

// buildVersion is what the linker, the module or the checkout say.
func buildVersion() (v, commit string) {
	v = version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(v, "unknown"), ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		}
	}
	return cmp.Or(v, info.Main.Version, "(devel)"), commit
}
