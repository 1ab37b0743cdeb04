package health

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
)

// claudeOf looks at the client's files, which takes less than a millisecond: 'doctor' says
// all that is wrong, and what other clients have.
func claudeOf(ctx context.Context, a *app.App) wire.Claude {
	p, err := connect.Place(ctx, a)
	if err != nil {
		return wire.Claude{Installed: []string{}, Problem: exit.Message(err)}
	}
	wrong, in := statesWell(p)
	if p.HasPlugin() {
		in = append(in, "plugin")
	}
	j := wire.Claude{Connected: len(in) > 0, Installed: wire.NotNil(in)}
	switch {
	case len(wrong) > 0:
		j.Problem, j.Cure = wrong[0].Detail, hint.Cure(wrong[0].Cure)
	case !j.Connected && p.Root == "":
		j.Cure = "git sage init --claude --scope user"
	case !j.Connected:
		j.Cure = "git sage init --claude"
	}
	return j
}

// writeClaude tells it in a line.
func writeClaude(a *app.App, w io.Writer, j wire.Claude) {
	switch {
	case j.Problem != "":
		fmt.Fprintf(w, "Claude Code: %s\n", term.Visible(j.Problem))
		if j.Cure != "" {
			fmt.Fprintf(w, "  %s\n", term.Visible(a.Typed(j.Cure)))
		}
	case j.Connected:
		fmt.Fprintf(w, "Claude Code is connected: %s\n", term.Visible(strings.Join(j.Installed, ", ")))
	default:
		fmt.Fprintf(w, "Claude Code is not connected: '%s' connects it\n", a.Typed(j.Cure))
	}
}

// writeLately says when something was saved and recalled last, and how much is known.
func writeLately(a *app.App, w io.Writer, st gitstore.Status) {
	var parts []string
	if !st.Saved.IsZero() {
		parts = append(parts, "last saved "+term.Age(a.Now(), st.Saved))
	}
	if !st.Recalled.IsZero() {
		parts = append(parts, "last recalled "+term.Age(a.Now(), st.Recalled))
	}
	if st.Items > 0 {
		parts = append(parts, legible.Count(st.Items, "item")+" of knowledge")
	}
	if text := strings.Join(parts, ", "); text != "" {
		fmt.Fprintln(w, strings.ToUpper(text[:1])+text[1:])
	}
}
