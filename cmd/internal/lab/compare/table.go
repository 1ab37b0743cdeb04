package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

const none = "-"

// write prints the results as Markdown: a column for each tool that started, a line for
// whatever was not run.
func (b *bench) write(w io.Writer, results []*result) {
	var ran []*result
	var notes []string
	for _, r := range results {
		name := strings.TrimSpace(r.tool.name + " " + r.tool.version)
		if r.installed.Failed != "" {
			notes = append(notes, fmt.Sprintf("%s: not run, %s", name, r.installed.Failed))
			continue
		}
		if r.tool.remark != "" {
			notes = append(notes, name+": "+r.tool.remark)
		}
		for _, n := range r.notes {
			notes = append(notes, name+": "+n)
		}
		ran = append(ran, r)
	}
	row := func(title string, cell func(*result) string) {
		fmt.Fprintf(w, "| %s |", title)
		for _, r := range ran {
			fmt.Fprintf(w, " %s |", cell(r))
		}
		fmt.Fprintln(w)
	}
	row("", func(r *result) string { return r.tool.name })
	fmt.Fprintln(w, "|---"+strings.Repeat("|---", len(ran))+"|")
	row("version, from", func(r *result) string { return strings.TrimSpace(r.tool.version + ", " + r.tool.from) })
	row("installed", func(r *result) string { return r.installed.Date })
	row("install", func(r *result) string { return fmt.Sprintf("%.0f s", r.installed.Seconds) })
	row("the same, processor time", func(r *result) string { return fmt.Sprintf("%.0f s", r.installed.Processor) })
	row("on disk", func(r *result) string { return megabytes(float64(r.installed.Bytes)) })
	row("start, until tools are listed", func(r *result) string { return milliseconds(r.start) })
	row("first save", func(r *result) string { return milliseconds(r.first) })
	row(fmt.Sprintf("save %d", b.saves), func(r *result) string { return milliseconds(r.last) })
	row(fmt.Sprintf("recall among %d", b.saves), func(r *result) string { return milliseconds(r.recall) })
	row(fmt.Sprintf("processor time of start, %d saves, %d recalls", b.saves, b.runs), func(r *result) string {
		if r.processor == 0 {
			return none
		}
		return fmt.Sprintf("%.1f s", r.processor.Seconds())
	})
	row("peak memory", func(r *result) string { return megabytes(float64(r.peakKB) * 1024) })
	row(fmt.Sprintf("%d writers at once: kept of acknowledged", b.writers), func(r *result) string { return r.writers.String() })
	row(fmt.Sprintf("%d times kill -9: kept of acknowledged", b.kills), func(r *result) string { return r.kills.String() })
	row("nDCG@10", func(r *result) string { return quality(r.ndcg) })
	row("recall@5", func(r *result) string { return quality(r.r5) })
	fmt.Fprintln(w)
	for _, n := range notes {
		fmt.Fprintf(w, "- %s\n", n)
	}
}

func (k kept) String() string {
	if k.acknowledged == 0 {
		return none
	}
	return fmt.Sprintf("%d of %d", k.there, k.acknowledged)
}

func megabytes(n float64) string {
	if n == 0 {
		return none
	}
	return fmt.Sprintf("%.0f MB", n/1e6)
}

func milliseconds(d time.Duration) string {
	switch {
	case d == 0:
		return none
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1000)
	case d < 10*time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

func quality(x float64) string {
	if math.IsNaN(x) {
		return none
	}
	return fmt.Sprintf("%.3f", x)
}
