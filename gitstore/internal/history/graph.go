package history

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// Graph returns the lines of `git log --graph` over what q chooses, each
// checkpoint drawn by show, which may return several lines. What q does not want
// is passed through without being shown.
func (hist *History) Graph(ctx context.Context, q commits.Query, show func(record.Record) string) ([]string, error) {
	ctx = hist.commits.Viewing(ctx)
	recs, err := hist.commits.Log(ctx, q)
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	wanted := make(map[string]record.Record, len(recs))
	for _, r := range recs {
		wanted[r.ID] = r
	}
	revs, err := hist.commits.Range(ctx, q, hist.commits.Look(ctx))
	if err != nil {
		return nil, err
	}
	args := []string{"log", "--graph", "--no-color", "--no-show-signature", "--no-notes", "--no-decorate", "--format=\x01%H", "--end-of-options"}
	var lines []string
	err = hist.repo.Git.Lines(ctx, func(l []byte) bool {
		lines = append(lines, draw(string(l), wanted, show)...)
		return len(wanted) > 0 // the rest is older than what was asked for
	}, append(args, revs...)...)
	if err != nil {
		return nil, commits.LogError(err)
	}
	return lines, nil
}

// draw replaces the id in a line of the graph by what show makes of it. Further
// lines of one checkpoint stand beside the lines that pass it.
func draw(line string, wanted map[string]record.Record, show func(record.Record) string) []string {
	lead, id, isCommit := strings.Cut(line, "\x01")
	if !isCommit {
		return []string{strings.TrimRight(line, " ")}
	}
	r, ok := wanted[id]
	if !ok {
		if lead = strings.Replace(lead, "*", "|", 1); strings.Trim(lead, "| ") == "" {
			return nil
		}
		return []string{strings.TrimRight(lead, " ")}
	}
	delete(wanted, id)
	below := "|"
	if len(r.Parents) == 0 {
		below = " "
	}
	var out []string
	for text := range strings.Lines(show(r)) {
		out = append(out, strings.TrimRight(lead+strings.TrimRight(text, "\n"), " "))
		lead = strings.Replace(lead, "*", below, 1)
	}
	return out
}
