package follow

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

const (
	within       = 150 * time.Millisecond
	mostAncestry = 5000 // answers kept, of 42 bytes
	mostMain     = 5000 // commits among which those of the branch itself are looked for
)

// ancestry tells what the history of the user's own holds.
type ancestry struct {
	// Within bounds each look at the user's own history: one of a million commits without a
	// commit-graph takes longer, and then nothing is preferred.
	Within time.Duration

	repo   *repo.Repo
	unsure atomic.Bool // whether a look at the user's history took too long
}

// Ancestors reports which of some commits of the user's own are HEAD or behind it. What
// is not known, such as a commit that is not here, is not. HEAD does not change what is
// behind it, so the answers are kept as long as it stays.
func (an *ancestry) Ancestors(ctx context.Context, commits []string) map[string]bool {
	head := an.repo.Code().Commit
	if head == "" || len(commits) == 0 {
		return nil
	}
	known := an.known(isBehind, head)
	out, ask := map[string]bool{}, []string{}
	for _, c := range commits {
		yes, told := known[c]
		out[c] = yes || c == head
		if !told && c != head && len(c) == len(head) && record.IsHex(c) && !slices.Contains(ask, c) {
			ask = append(ask, c)
		}
	}
	if len(ask) == 0 {
		return out
	}
	ctx, cancel := context.WithTimeout(ctx, an.Within)
	defer cancel()
	beside, err := an.beside(ctx, ask, head)
	if err != nil {
		an.unsure.Store(true)
		return out
	}
	for _, c := range ask {
		known[c] = !beside[c]
		out[c] = known[c]
	}
	an.keep(isBehind, head, known)
	return out
}

// beside are those of some commits that are not here, or not behind another. One git
// tells of all: it lists what is reachable from them and not from that one.
func (an *ancestry) beside(ctx context.Context, commits []string, head string) (map[string]bool, error) {
	out := map[string]bool{}
	ask := []string{"^" + head}
	for _, c := range commits {
		if o, err := an.repo.Object(c); err == nil && o.Type == "commit" {
			ask = append(ask, c)
		} else {
			out[c] = true
		}
	}
	if len(ask) == 1 {
		return out, ctx.Err()
	}
	list, err := an.repo.Git.Feed(ctx, []byte(strings.Join(ask, "\n")+"\n"), "rev-list", "--stdin")
	for id := range strings.Lines(string(list)) {
		out[strings.TrimSuffix(id, "\n")] = true
	}
	return out, err
}

// An answer about commits of the user's own holds as long as HEAD stays, and is kept so long.
type answer string

const (
	isBehind   answer = "ancestry" // whether a commit is behind HEAD
	isSquashed answer = "squashed" // whether a commit after the merge base has what it has
)

func (an *ancestry) answerFile(a answer) string {
	return an.repo.Dir("cache", string(a)+"-"+refname.Hash16(an.repo.Where.GitDir))
}

// known is what was found out about a HEAD: a line of it, then a commit a line with + or -
// before it.
func (an *ancestry) known(a answer, head string) map[string]bool {
	known := map[string]bool{}
	b, err := fsx.ReadOwn(an.answerFile(a))
	first, rest, _ := strings.Cut(string(b), "\n")
	if err != nil || first != head {
		return known
	}
	for l := range strings.Lines(rest) {
		if l = strings.TrimSuffix(l, "\n"); len(l) == len(head)+1 && record.IsHex(l[1:]) {
			known[l[1:]] = l[0] == '+'
		}
	}
	return known
}

func (an *ancestry) keep(a answer, head string, known map[string]bool) {
	if len(known) > mostAncestry {
		return
	}
	var b strings.Builder
	b.WriteString(head + "\n")
	for c, yes := range known {
		b.WriteString(map[bool]string{true: "+", false: "-"}[yes] + c + "\n")
	}
	_ = fsx.WriteDerived(an.answerFile(a), []byte(b.String()), 0o644) // else it is asked again
}

// mainline are the commits that the branch which is checked out made itself.
func (an *ancestry) mainline(ctx context.Context) map[string]bool {
	ctx, cancel := context.WithTimeout(ctx, an.Within)
	defer cancel()
	out, _ := an.repo.Git.Run(ctx, "rev-list", "--first-parent", fmt.Sprintf("--max-count=%d", mostMain), an.repo.Code().Commit)
	commits := map[string]bool{}
	for id := range strings.Lines(string(out)) {
		commits[strings.TrimSuffix(id, "\n")] = true
	}
	return commits
}
