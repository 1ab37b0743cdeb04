package codeindex

import (
	"cmp"
	"math"
	"slices"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// byWords scores all chunks by the terms of the question and adds the best.
func (r *ranking) byWords() error {
	k := r.corpus()
	for i := range r.ask.terms {
		if err := k.score(i); err != nil {
			return err
		}
	}
	top, least := make([]candidate, 0, 4*deep), float32(0) // what is worse than the worst of a whole list is none of it
	cut := func() {
		slices.SortFunc(top, func(a, b candidate) int {
			if c := cmp.Compare(b.words, a.words); c != 0 {
				return c
			}
			return r.compare(a.at, b.at)
		})
		top = top[:min(deep, len(top))]
	}
	for part, scores := range r.words {
		for c, s := range scores {
			if s <= 0 || s < least || !r.may(part, uint32(c)) {
				continue
			}
			if top = append(top, candidate{at: at{part, uint32(c)}, words: float64(s)}); len(top) == cap(top) {
				cut()
				least = float32(top[deep-1].words)
			}
		}
	}
	cut()
	for i := range top {
		r.found[top[i].at] = &top[i]
	}
	return nil
}

// A corpus is what BM25F counts terms in: the chunks of a view, and what their files have
// beside them.
type corpus struct {
	*ranking
	chunks  int
	average float64 // length
	inPath  map[words.Term][]place
	said    messages
}

func (r *ranking) corpus() *corpus {
	s := r.sizes()
	k := &corpus{ranking: r, chunks: s.chunks, average: s.length / float64(max(1, s.chunks)), inPath: r.paths(), said: r.messages()}
	for _, p := range r.parts {
		r.words = append(r.words, make([]float32, p.Len()))
	}
	return k
}

// score adds what the i-th term of the question gives to each chunk.
func (k *corpus) score(i int) error {
	t := k.ask.terms[i]
	df, err := k.having(i)
	if err != nil || df == 0 && !k.q.elsewhere[t] {
		return err
	}
	idf := math.Log(1 + (float64(k.chunks)-float64(min(df, k.chunks))+.5)/(float64(df)+.5))
	k.best += idf * (k1 + 1)
	add := func(part int, c uint32, tf float64) {
		size := 1 - lengthNorm + lengthNorm*float64(k.parts[part].Length(c))/k.average
		k.words[part][c] += float32(idf * tf * (k1 + 1) / (tf + k1*size))
	}
	inPath := map[place]bool{}
	for _, f := range k.inPath[t] {
		inPath[f] = true
	}
	own := map[at]bool{} // what has the term, of files whose commits do
	for part, p := range k.parts {
		if err := p.Postings(t, func(c uint32, n segment.TF) {
			if !k.may(part, c) {
				return
			}
			file := p.FileOf(c)
			tf := float64(n.Body) + ofName*float64(n.Name) + ofSignature*float64(n.Signature) + ofDoc*float64(n.Doc)
			if inPath[place{part, file}] {
				tf += ofPath
			}
			if w := k.said.weight(part, file, i); w > 0 {
				tf += ofMessage * w
				own[at{part, c}] = true
			}
			add(part, c, tf)
		}); err != nil {
			return err
		}
	}
	for f, weight := range k.said {
		info := k.parts[f.part].File(f.file)
		for c := info.Chunk; weight[i] > 0 && c < info.Chunk+info.N; c++ {
			if !own[at{f.part, uint32(c)}] {
				add(f.part, uint32(c), ofMessage*weight[i])
			}
		}
	}
	return nil
}

// having is how many chunks have the i-th term, in themselves, in their path or in what
// commits say of their file.
func (k *corpus) having(i int) (n int, err error) {
	t := k.ask.terms[i]
	n = len(k.inPath[t])
	for part, p := range k.parts {
		if err := p.Postings(t, func(c uint32, _ segment.TF) {
			if k.may(part, c) && k.said.weight(part, p.FileOf(c), i) == 0 {
				n++
			}
		}); err != nil {
			return 0, err
		}
	}
	for f, weight := range k.said {
		if weight[i] > 0 { // it is in all chunks of the file
			n += k.parts[f.part].File(f.file).N
		}
	}
	return n, nil
}

// messages are, of each file, the weights that its commits give to the terms of a question.
type messages map[place][]float64

func (m messages) weight(part, file, term int) float64 {
	if w := m[place{part, file}]; w != nil {
		return w[term]
	}
	return 0
}

func (r *ranking) messages() messages {
	if r.past == nil {
		return nil
	}
	out := messages{}
	byPath := r.past.Messages(r.ask.terms)
	for _, f := range r.list {
		if weight := byPath[r.view.Files[r.at[f.part][f.file]].Path]; weight != nil {
			out[f] = weight
		}
	}
	return out
}

// paths are the files whose path has a term of the question.
func (r *ranking) paths() map[words.Term][]place {
	out := map[words.Term][]place{}
	for i, list := range r.sizes().paths {
		for _, t := range list {
			if have := out[t]; slices.Contains(r.ask.terms, t) && (len(have) == 0 || have[len(have)-1] != r.list[i]) {
				out[t] = append(have, r.list[i])
			}
		}
	}
	return out
}
