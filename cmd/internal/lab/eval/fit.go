package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/trigger"
)

// headFile is where the weights of the triggers' second opinion are.
var headFile = filepath.Join("hooks", "trigger", "head.json")

// fitted are the turns that it is fitted to.
var fitted = []string{"sentences.jsonl", "more.jsonl", "plain.jsonl"}

// The fit of a head: chances of kinds by logistic regression.
const (
	looseness = 2   // what a turn weighs against the wish for small weights
	rounds    = 400 // of going downhill
	folds     = 5   // that each turn is tested with a head that has not seen it
)

// A judged turn is a turn as a head sees it.
type judged struct {
	turn
	reading trigger.Reading
	vector  []float32
	x       []float64
}

// fitHead fits a head to the labelled turns, tells how it does on those that it has not
// seen, and writes it.
func (m *models) fitHead(ctx context.Context, w io.Writer) error {
	list, err := m.samples(ctx)
	if err != nil {
		return err
	}
	var seen count
	for f := range folds {
		var train, test []judged
		for i, s := range list {
			if i%folds == f {
				test = append(test, s)
			} else {
				train = append(train, s)
			}
		}
		h := fit(train)
		for _, s := range test {
			got := s.reading
			if got.Worth() {
				got = h.Judge(got, s.vector)
			}
			k := got.Kind(threshold)
			seen.add(k != "", s.Kind != "", k == s.Kind)
		}
	}
	fmt.Fprintf(w, "head, %d turns, each by one fitted to others: %s\n", len(list), seen)
	h := fit(list)
	h.Model = m.prose.Model().Name
	return writeHead(h)
}

func (m *models) samples(ctx context.Context) (out []judged, err error) {
	for _, file := range fitted {
		list, err := readLines[turn](filepath.Join("testdata", "trigger", file))
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			if t.Lang != "" || t.Before != "" { // a head knows English alone, and one turn
				continue
			}
			s := judged{turn: t, reading: trigger.Read(t.Text, t.said().Person)}
			v, err := m.prose.Queries(ctx, []string{s.reading.Opening})
			if err != nil {
				return nil, err
			}
			s.vector = v[0]
			s.x = s.reading.Features(v[0])
			out = append(out, s)
		}
	}
	return out, nil
}

// fit makes a head for the turns. The mean of the features is taken off first, which makes
// going downhill quick, and put back into the first weight.
func fit(list []judged) *trigger.Head {
	mean := means(list)
	now, before := matrix(len(mean)), matrix(len(mean))
	step := 1 / (1 + looseness*float64(len(list)))
	for n := range rounds {
		push := float64(n) / float64(n+3)
		ahead := matrix(len(mean))
		for k := range ahead {
			for i, x := range now[k] {
				ahead[k][i] = x + push*(x-before[k][i])
			}
		}
		before, now = now, ahead
		for k, row := range slopes(list, ahead, mean) {
			for i, x := range row {
				now[k][i] -= step * x
			}
		}
	}
	h := &trigger.Head{Rows: map[trigger.Kind][]float64{}}
	for k, row := range now {
		row[0] -= inner(row[1:], mean[1:])
		h.Rows[classes[k]] = row
	}
	return h
}

// classes are what a turn may be, none first.
var classes = append([]trigger.Kind{""}, trigger.Kinds...)

// matrix has a row for each class.
func matrix(width int) [][]float64 {
	out := make([][]float64, len(classes))
	for k := range out {
		out[k] = make([]float64, width)
	}
	return out
}

func means(list []judged) []float64 {
	mean := make([]float64, len(list[0].x))
	for _, s := range list {
		for i, x := range s.x {
			mean[i] += x / float64(len(list))
		}
	}
	mean[0] = 0
	return mean
}

// slopes is how the loss grows with each weight.
func slopes(list []judged, rows [][]float64, mean []float64) [][]float64 {
	out := matrix(len(mean))
	for k, row := range rows {
		copy(out[k][1:], row[1:])
	}
	x, chance := make([]float64, len(mean)), make([]float64, len(rows))
	for _, s := range list {
		for i := range x {
			x[i] = s.x[i] - mean[i]
		}
		all := 0.0
		for k, row := range rows {
			chance[k] = math.Exp(inner(row, x))
			all += chance[k]
		}
		for k, row := range out {
			g := looseness * chance[k] / all
			if classes[k] == s.Kind {
				g -= looseness
			}
			for i, v := range x {
				row[i] += g * v
			}
		}
	}
	return out
}

func inner(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// writeHead writes a head with a row a line, three digits behind the point.
func writeHead(h *trigger.Head) error {
	f, err := os.Create(headFile)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(f, "{\"model\": %q, \"rows\": {\n", h.Model)
	for n, k := range classes {
		row := h.Rows[k]
		for i := range row {
			row[i] = math.Round(row[i]*1000) / 1000
		}
		text, err := json.Marshal(row)
		if err != nil {
			return err
		}
		comma := ","
		if n == len(trigger.Kinds) {
			comma = ""
		}
		fmt.Fprintf(f, "%q: %s%s\n", k, text, comma)
	}
	_, err = fmt.Fprintln(f, "}}")
	return err
}
