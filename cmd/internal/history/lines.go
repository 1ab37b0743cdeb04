package history

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// A Line is a line or fork as lists show it.
type Line struct {
	gitstore.Line
	Unmerged int  // checkpoints that no open line holds, where the git branch was deleted
	Private  bool // never sent to a remote
}

// Object is what --json prints of a line.
func (l Line) Object() wire.Line {
	j := wire.LineOf(l.Line)
	j.Unmerged, j.Private = l.Unmerged, l.Private
	return j
}

// Lines are all lines and forks, as whoever asks may see them. One is the current one: on a fork, that.
func Lines(ctx context.Context, m *recall.Memory) ([]Line, error) {
	list, err := m.Store.Lines.List(ctx)
	if err != nil {
		return nil, err
	}
	onFork := slices.ContainsFunc(list, func(l gitstore.Line) bool { return l.Fork && l.Current })
	unmerged := map[string]int{}
	for _, u := range m.Store.Follow.UnmergedLines(ctx, list) {
		unmerged[u.Name] = u.Checkpoints
	}
	private := m.Store.Remotes.PrivateLines()
	out := make([]Line, len(list))
	for i, l := range list {
		l.Current = l.Current && l.Fork == onFork
		out[i].Line, out[i].Private = m.Provenance.AdmittedLine(l), slices.Contains(private, l.Of)
		if !l.Fork {
			out[i].Unmerged = unmerged[l.Name]
		}
	}
	return out, nil
}
