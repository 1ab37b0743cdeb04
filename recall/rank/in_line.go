package rank

import (
	"slices"

	"github.com/git-sage/git-sage/recall/doc"
)

const (
	// sameStatement is the cosine of two statements that say the same, word for word or
	// nearly: one that is inherited stands in every later checkpoint of a line.
	sameStatement = 0.98
	// sameThesis is the centred cosine of two theses of a line, with the questions that they
	// answer, of which the later stands for the earlier: half as near again as two texts that
	// speak of the same thing.
	sameThesis = 0.60
)

// InLine orders checkpoints that may answer: those that fit before others, of these the
// current line's, and last what a later thesis of its line stands for. Of those that say the
// same one is left. theses are the vectors of their theses, nil where there is none.
func (r *Ranking) InLine(list []Scored, theses [][]float32) []Scored {
	gone := map[string]bool{}
	for i := range list {
		for j := range list {
			old, newer := &list[i], &list[j]
			same := old.Line == newer.Line
			if !same && newer.Line != "" || !newer.Meta.Updated.After(old.Meta.Updated) {
				continue
			}
			if old.Vector && newer.Vector && Dot(old.Nearest, newer.Nearest) >= sameStatement {
				gone[old.Meta.Key] = true
			}
			if same && theses[i] != nil && theses[j] != nil && r.sameThesis(theses[i], theses[j]) && old.Later == "" {
				old.Later = doc.ID(newer.Meta.Key)
			}
		}
	}
	list = slices.DeleteFunc(list, func(s Scored) bool { return gone[s.Meta.Key] })
	slices.SortStableFunc(list, func(a, b Scored) int {
		_, fitsA := r.Fits(&a)
		_, fitsB := r.Fits(&b)
		switch {
		case fitsA != fitsB:
			return before(fitsA)
		case (a.Later != "") != (b.Later != ""):
			return before(a.Later == "")
		case (a.Line == "") != (b.Line == ""):
			return before(a.Line == "")
		}
		return 0
	})
	for i := range list {
		list[i].Place = i
	}
	return list
}

// before orders by what one has and the other has not.
func before(first bool) int {
	if first {
		return -1
	}
	return 1
}

func (r *Ranking) sameThesis(a, b []float32) bool {
	return r.Calibration != nil && (centre{r.Calibration.Texts, r.Calibration.Texts}).cosine(a, b) >= sameThesis
}
