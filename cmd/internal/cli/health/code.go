package health

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/hooks/githooks"
	"github.com/git-sage/git-sage/internal/lists"
)

// gitHooksWell is what doctor says of the hooks of git that keep the index of code fresh;
// nothing where there are none.
func gitHooksWell(a *app.App, s *gitstore.Store) []gitstore.Diagnosis {
	const name = "git hooks"
	folder := connect.GitHooks(a, s)
	fine, wrong, err := folder.State()
	switch again := remedy.Typed("git sage init --git-hooks"); {
	case err != nil:
		return []gitstore.Diagnosis{part.Oddity(name, err.Error())}
	case len(fine)+len(wrong) == 0:
		return nil
	case folder.Used != "":
		return []gitstore.Diagnosis{part.Oddity(name, fmt.Sprintf("those of git-sage in %s do not run: git looks for hooks in %s", folder.Path, folder.Used), remedy.Typed("git sage hooks uninstall --git"))}
	case len(wrong) > 0:
		said := lists.Map(wrong, func(r githooks.Result) string {
			if r.Left != "" {
				return filepath.Base(r.Path) + ": " + r.Left
			}
			return filepath.Base(r.Path) + " is missing, or of another version"
		})
		return []gitstore.Diagnosis{part.Oddity(name, strings.Join(said, "; "), again)}
	}
	return []gitstore.Diagnosis{part.OK(name, strings.Join(fine, ", ")+" keep the index of code fresh")}
}
