package trigger

import (
	_ "embed"
	"encoding/json"
	"math"
	"sync"
)

//go:embed head.json
var headFile []byte

// A Head judges a turn by the vector of how it begins and by what the signs tell, with
// weights that were fitted to labelled turns ('make eval TRIGGERS=fit'). Signs alone know
// the words that somebody listed; the vector is near for others that mean the same.
type Head struct {
	Model string             `json:"model"` // that makes the vectors; those of another mean nothing here
	Rows  map[Kind][]float64 `json:"rows"`  // of each kind, and of "" for none: weights of Features
}

var theHead = sync.OnceValue(func() *Head {
	h := &Head{}
	if err := json.Unmarshal(headFile, h); err != nil {
		panic(err) // it is built in, and a test reads it
	}
	return h
})

// HeadModel is the name of the model whose vectors the built-in head is for.
func HeadModel() string { return theHead().Model }

// What the fit gives to features so that no group of them outweighs the others.
const (
	signScale   = 0.7
	personScale = 0.5
	vectorScale = 3
)

// Features are what a head weighs: one, who speaks, what the signs tell of each of Kinds,
// and the vector of the opening.
func (r Reading) Features(vector []float32) []float64 {
	out := []float64{1, 0}
	if r.person {
		out[1] = personScale
	}
	for _, k := range Kinds {
		out = append(out, signScale*r.Scores[k])
	}
	for _, x := range vector {
		out = append(out, vectorScale*float64(x))
	}
	return out
}

// Judge is the reading with scores by the head; as it was where the vector does not fit.
func (h *Head) Judge(r Reading, vector []float32) Reading {
	x := r.Features(vector)
	odds, all := map[Kind]float64{}, 0.0
	for k, row := range h.Rows {
		if len(row) != len(x) {
			return r
		}
		odds[k] = math.Exp(dot(row, x))
		all += odds[k]
	}
	// What is as likely as not scores .6, and a chance of .44 reaches the default of
	// trigger_threshold.
	evenly := math.Log(0.6) / math.Log(0.5)
	scores := map[Kind]float64{}
	for _, k := range Kinds {
		if !k.persons() || r.person {
			scores[k] = math.Pow(odds[k]/all, evenly)
		}
	}
	return r.scored(scores)
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// scored is the reading with other scores. A kind that no sign tells of is told by the
// sentence that tells most of another.
func (r Reading) scored(scores map[Kind]float64) Reading {
	most := Kind("")
	for _, k := range Kinds {
		if r.Scores[k] > r.Scores[most] {
			most = k
		}
	}
	best := map[Kind]string{}
	for k := range scores {
		if best[k] = r.Best[k]; best[k] == "" {
			best[k] = r.Best[most]
		}
	}
	if scores[Synthesis] = max(scores[Synthesis], r.sure); r.sure < leastSure {
		r.Outright = r.Outright && scores[Synthesis] > scores[Constraint]
	}
	r.Scores, r.Best = scores, best
	return r
}
