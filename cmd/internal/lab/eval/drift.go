package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/trigger"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/embed"
)

// The conversations that topic drift is measured on: stretches of others, joined.
const (
	stretches   = 60  // of a conversation
	shortest    = 8   // messages of a stretch
	longest     = 14  //
	driftSeed   = 20  // of the choice of stretches
	driftBytes  = 400 // of a message, as hooks have it
	window      = 5   // messages that one is compared with
	leastWindow = 3
	spaced      = 3   // messages between two alarms, as a person would have it
	driftBelow  = 0.5 // the default of topic_drift_threshold
)

// measureDrift scores topic drift where stretches of different conversations meet, and of
// different sessions of one, which is harder: the same people go on with their lives.
func measureDrift(ctx context.Context, w io.Writer, dir string) error {
	sets, err := findSets(dir)
	if err != nil {
		fmt.Fprintf(w, "\ntopic drift: not measured, there are no conversations in '%s'\n", dir)
		return nil
	}
	stores := sets[0].stores
	m, err := openModels()
	if err != nil {
		return err
	}
	mem := recall.New(recall.Options{Embedder: func() (embed.Embedder, error) { return m.prose, nil }})
	r := rand.New(rand.NewPCG(driftSeed, 0))
	for _, one := range []bool{false, true} {
		d := joined(stores, r, one)
		if err := d.measure(ctx, mem); err != nil {
			return err
		}
		d.report(w, map[bool]string{false: "different conversations", true: "different sessions of one"}[one])
	}
	return m.save()
}

// A join is a conversation made of stretches.
type join struct {
	texts  []string
	begins []bool    // a stretch, other than the first
	near   []float64 // how near a message is to those before; 9 is not known
}

// joined joins stretches so that two in a row are of different conversations, or with one of
// different sessions of a conversation.
func joined(stores []*store, r *rand.Rand, one bool) (d join) {
	before := ""
	home := stores[r.IntN(len(stores))]
	for n := 0; n < stretches; {
		if n%10 == 0 {
			home = stores[r.IntN(len(stores))]
		}
		s := home
		if !one {
			s = stores[r.IntN(len(stores))]
		}
		i, size := r.IntN(len(s.docs)), shortest+r.IntN(longest-shortest+1)
		session := sessionOf(s.docs[i].ID)
		key := s.name
		if one {
			key += session
		}
		if i+size > len(s.docs) || sessionOf(s.docs[i+size-1].ID) != session || key == before {
			continue
		}
		for j, x := range s.docs[i : i+size] {
			_, said, _ := strings.Cut(x.Text, ": ") // the name would tell
			d.texts, d.begins = append(d.texts, said), append(d.begins, j == 0 && n > 0)
		}
		before = key
		n++
	}
	return d
}

// sessionOf is "D3" of "D3:7".
func sessionOf(id string) string { s, _, _ := strings.Cut(id, ":"); return s }

// measure compares each message with those before it that have a topic, as hooks do.
func (d *join) measure(ctx context.Context, m *recall.Memory) error {
	var before [][]float32
	for _, text := range d.texts {
		near := 9.0
		if gist := trigger.Gist(text, driftBytes); gist != "" {
			list, err := m.Similarity.Topics(ctx, []string{gist}, nil)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				return errors.New("there is no model that was calibrated")
			}
			t := list[0]
			if len(before) >= leastWindow {
				near = t.Nearness(before)
			}
			before = append(before, t.Vector)
			before = before[max(0, len(before)-window):]
		}
		d.near = append(d.near, near)
	}
	return nil
}

// alarms are the n messages that are farthest from those before them, some apart.
func (d *join) alarms(n int) []bool {
	order := make([]int, len(d.near))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int(1e9*d.near[a]) - int(1e9*d.near[b])
	})
	out := make([]bool, len(order))
	for _, i := range order {
		if n > 0 && d.near[i] < 9 && !slices.Contains(out[max(0, i-spaced+1):min(len(out), i+spaced)], true) {
			out[i] = true
			n--
		}
	}
	return out
}

func (d *join) report(w io.Writer, title string) {
	real := 0
	for _, b := range d.begins {
		if b {
			real++
		}
	}
	fmt.Fprintf(w, "\ntopic drift, %s: %d messages, %d boundaries\n", title, len(d.texts), real)
	for _, n := range []int{real / 2, real} {
		fmt.Fprintf(w, "  %3d alarms: %s\n", n, d.score(d.alarms(n)))
	}
	for _, below := range []float64{driftBelow, 1 - threshold/0.7} {
		out := make([]bool, len(d.near))
		for i, x := range d.near {
			out[i] = x < below
		}
		fmt.Fprintf(w, "  nearer than %.2f is no alarm: %s\n", below, d.score(out))
	}
}

// score compares alarms with boundaries.
func (d *join) score(alarms []bool) string {
	c := count{}
	for i, a := range alarms {
		c.add(a, d.begins[i], a)
	}
	return fmt.Sprintf("%s  Pk %.3f", c, pk(d.begins, alarms))
}

// pk is how often a probe of two messages, half a stretch apart, is wrong about whether a
// boundary lies between them (Beeferman, Berger and Lafferty, 1999); chance is near .5.
func pk(real, told []bool) float64 {
	k := len(real) / (2 * stretches)
	wrong, n := 0, 0
	for i := 0; i+k < len(real); i++ {
		if slices.Contains(real[i+1:i+k+1], true) != slices.Contains(told[i+1:i+k+1], true) {
			wrong++
		}
		n++
	}
	return float64(wrong) / float64(max(1, n))
}
