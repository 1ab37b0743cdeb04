package edit

// A Span is a stretch of bytes that we inserted, in the place of what its owner had there.
type Span struct {
	From, To int
	Was      string
}

// Shift moves spans through one splice, in the place of old; not ok means that it took
// away bytes of which some are ours and some are not. New text is ours, be it in a span
// or beside one.
func Shift(ours []Span, s Splice, old string) (out []Span, ok bool) {
	grow := len(s.Text) - (s.To - s.From)
	added := Span{s.From, s.From + len(s.Text), old}
	placed := false
	place := func() {
		if !placed && (added.From < added.To || added.Was != "") {
			out = append(out, added)
		}
		placed = true
	}
	for _, o := range ours {
		switch {
		case s.To < o.From || s.To == o.From && s.From < s.To:
			place()
			out = append(out, Span{o.From + grow, o.To + grow, o.Was})
		case s.From > o.To || s.From == o.To && s.From < s.To:
			out = append(out, o)
		case o.From <= s.From && s.To <= o.To:
			added = Span{o.From, o.To + grow, o.Was}
		default: // half in, half out
			return out, false
		}
	}
	place()
	return join(out), true
}

// join makes spans that touch one.
func join(list []Span) (out []Span) {
	for _, s := range list {
		if k := len(out); k > 0 && out[k-1].To >= s.From {
			out[k-1].To, out[k-1].Was = s.To, out[k-1].Was+s.Was
		} else {
			out = append(out, s)
		}
	}
	return out
}
