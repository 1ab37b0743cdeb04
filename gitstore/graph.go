package gitstore

import (
	"context"
	"strings"
)

// Graph returns the lines of `git log --graph` over what q chooses, each
// checkpoint drawn by show, which may return several lines. What q does not want
// is passed through without being shown.
func (s *Store) Graph(ctx context.Context, q Query, show func(Record) string) ([]string, error) {
	ctx = s.viewing(ctx)
	recs, err := s.Log(ctx, q)
	if err != nil || len(recs) == 0 {
		return nil, err
	}
	wanted := make(map[string]Record, len(recs))
	for _, r := range recs {
		wanted[r.ID] = r
	}
	revs, err := s.range_(ctx, q, s.look(ctx))
	if err != nil {
		return nil, err
	}
	args := []string{"log", "--graph", "--no-color", "--no-show-signature", "--no-notes", "--no-decorate", "--format=\x01%H", "--end-of-options"}
	var lines []string
	err = s.git.Lines(ctx, func(l []byte) bool {
		lines = append(lines, draw(string(l), wanted, show)...)
		return len(wanted) > 0 // the rest is older than what was asked for
	}, append(args, revs...)...)
	if err != nil {
		return nil, logError(err)
	}
	return lines, nil
}

// draw replaces the id in a line of the graph by what show makes of it. Further
// lines of one checkpoint stand beside the lines that pass it.
func draw(line string, wanted map[string]Record, show func(Record) string) []string {
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
