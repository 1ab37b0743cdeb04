package follow

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// An UnmergedLine is a line that was closed because its branch of git's was deleted, and
// that has checkpoints which no open line holds.
type UnmergedLine struct {
	MergedLine
	Checkpoints int // of those
}

// mostUnmerged bounds the lines of which that is asked: each takes a git of its own.
const mostUnmerged = 20

// UnmergedLines are those of some lines, as [write.Lines.List] returns them, the newest first.
// Whether the branch was merged before it was deleted does not matter, since nobody may
// know: a squash merge does not tell, nor a checkpoint that was saved before the first
// commit. Who closes such a line by hand is told of it no more. Where nothing is followed
// there are none.
func (fo *Follower) UnmergedLines(ctx context.Context, lines []commits.Line) (out []UnmergedLine) {
	if fo.session.Follow().Branch == "" {
		return nil
	}
	not := []string{"--not"}
	for _, l := range lines {
		switch n := l.Note; {
		case l.Fork || l.Tip == "":
		case !n.Closed || l.Current:
			not = append(not, l.Tip)
		case len(n.Gone) > 0 && n.RenamedTo == "" && l.Latest != nil:
			out = append(out, UnmergedLine{MergedLine: MergedLine{l, legible.OneLine(n.Gone[len(n.Gone)-1])}})
		}
	}
	slices.SortStableFunc(out, func(a, b UnmergedLine) int { return b.Latest.Recorded.Compare(a.Latest.Recorded) })
	out = out[:min(len(out), mostUnmerged)]
	for i := range out {
		count, _ := fo.repo.Git.Run(ctx, slices.Concat([]string{"rev-list", "--count", out[i].Tip}, not)...) // else it is not told
		out[i].Checkpoints, _ = strconv.Atoi(strings.TrimSpace(string(count)))
	}
	return slices.DeleteFunc(out, func(l UnmergedLine) bool { return l.Checkpoints == 0 })
}

// AbandonedLines are the names of those of some lines, as [write.Lines.List] returns them,
// that were closed and whose branch is not merged into what is checked out, as far as git
// tells: what they came to does not hold there.
func (fo *Follower) AbandonedLines(ctx context.Context, lines []commits.Line) map[string]bool {
	out := map[string]bool{}
	for _, l := range lines {
		if !l.Fork && !l.Current && l.Note.Closed && l.Note.RenamedTo == "" {
			out[l.Name] = true
		}
	}
	if len(out) > 0 {
		for _, m := range fo.MergedLines(ctx, lines) {
			delete(out, m.Name)
		}
	}
	return out
}
