package recall

// A Sentence is one of a text, with what it would be kept as.
type Sentence struct {
	Text string
	Why  string // as of a Proposal; "" if it is not worth an item
	Says bool   // it claims something: no question, plan or guess
}

// Sentences takes the prose of a text apart and judges each sentence as [Propose] does.
// Code, tables, quotations and headings are left out. It is for who weighs them further.
func Sentences(text string) (out []Sentence) {
	for _, par := range paragraphs(text) {
		list := sentences(par.text)
		for i, s := range list {
			why := sentenceKind(s, par.kind)
			if why != "" && i > 0 && pointsBack(s) { // "It must not be cached": say what
				s = list[i-1] + " " + s
			}
			out = append(out, Sentence{s, why, plain(list[i]) && !hedged().MatchString(list[i])})
		}
	}
	return out
}
