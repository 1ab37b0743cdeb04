package health

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/code"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/githooks"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// codeWell is what doctor says of the index of code; nothing where there is no code.
func codeWell(ctx context.Context, a *app.App, m *recall.Memory) []gitstore.Diagnosis {
	const name = "code"
	x, again := m.Code(), remedy.Typed("git sage index")
	if bad := x.Damaged(); len(bad) > 0 {
		return []gitstore.Diagnosis{part.Oddity(name, "the index is damaged, in "+strings.Join(bad, ", "), remedy.Typed("git sage index --full"))}
	}
	if m.Store.Repo.Options.Global {
		return nil
	}
	if !x.Exists() {
		return []gitstore.Diagnosis{{Name: name, State: gitstore.StateOK, Unused: true, Detail: "not indexed; searches begin to, and 'git sage index' does all"}}
	}
	st, err := x.Status(ctx, "")
	if err != nil {
		return []gitstore.Diagnosis{part.Oddity(name, exit.Message(err), again)}
	}
	d := part.OK(name, fmt.Sprintf("%s and %s indexed, %s, the last %s", legible.Count(st.Indexed, "file"), legible.Count(st.Symbols, "symbol"), code.Size(st.Bytes), term.Age(a.Now(), st.Newest)))
	if missing := st.Files - st.Indexed; missing > 0 {
		d.Detail, d.Cure = fmt.Sprintf("%d of %s not indexed; %s", missing, legible.Count(st.Files, "file"), d.Detail), []remedy.Remedy{again}
	}
	return []gitstore.Diagnosis{d}
}

// gitHooksWell is what doctor says of the hooks of git that keep notes and index fresh;
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
	return []gitstore.Diagnosis{part.OK(name, strings.Join(fine, ", ")+" keep the notes on commits and the index of code fresh")}
}
