package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"
)

func showSizes(rows []sized) (missed bool) {
	out := json.NewEncoder(os.Stdout)
	t := tabwriter.NewWriter(os.Stderr, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "size\tact\tfull, ms\ta hundredth, ms\tratio\tgit's own, ms\tpeak MB\twith git's, MB\t")
	for _, r := range rows {
		_ = out.Encode(r)
		mark, git := "ok", ""
		if !r.OK {
			missed, mark = true, "MISSED"
		}
		if r.Git > 0 {
			git = fmt.Sprintf("%.1f", r.Git)
		}
		fmt.Fprintf(t, "%s\t%s\t%.1f\t%.1f\t%.1f\t%s\t%.0f\t%.0f\t%s\n", r.Size, r.Act, r.Full, r.Small, r.Ratio, git, r.RSS, r.With, mark)
	}
	_ = t.Flush()
	explain(rows)
	return missed
}

// explain says what git's own is wherever that counted: where the ratio alone is
// more than it may be.
func explain(rows []sized) {
	seen := map[string]bool{}
	for _, r := range rows {
		if r.Ratio > maxRatio && r.Own != "" && !seen[r.Act] {
			seen[r.Act] = true
			fmt.Fprintf(os.Stderr, "%s: at most %.1f times git's own: %s\n", r.Act, r.Most, r.Own)
		}
	}
}
