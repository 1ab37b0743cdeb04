package history

import (
	"math"
	"slices"

	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// halfLife is after how many seconds a commit counts half, and mostOf how much all commits
// whose messages have a term count at most.
const halfLife, mostOf = 2 * 365 * 24 * 3600, 3

// Messages weighs terms for each file by the messages of the commits that changed it: a
// commit counts the less, the older it is and the more files it changed. The weights of a
// file stand in the order of terms.
func (p *Past) Messages(terms []words.Term) map[string][]float64 {
	weights := map[uint32][]float64{}
	for i := range p.commits {
		c := &p.commits[i]
		for k, t := range terms {
			if _, ok := slices.BinarySearch(c.terms, t); !ok {
				continue
			}
			w := math.Exp2(-float64(p.newest-c.time)/halfLife) / math.Sqrt(float64(len(c.files)))
			for _, f := range c.files {
				if weights[f] == nil {
					weights[f] = make([]float64, len(terms))
				}
				weights[f][k] = min(mostOf, weights[f][k]+w)
			}
		}
	}
	out := make(map[string][]float64, len(weights))
	for f, w := range weights {
		out[p.h.paths[f]] = w
	}
	return out
}
