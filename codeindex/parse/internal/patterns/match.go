package patterns

import "bytes"

const mostMatched = 1000 // bytes of a line that rules look at

// Text is the code of a line, of a very long one its beginning.
func (m *Masked) Text(l *Line) []byte {
	return m.Code[l.First:min(l.End, l.First+mostMatched)]
}

// A Match says where a rule applies, as offsets in the source.
type Match struct {
	*Rule
	Behind          int    // the end of what its expression matches
	Name, Qualifier [2]int // begin and end; both 0 if there is none
}

// Match returns the first rule that applies to a line: one that may, by what is around
// the line, and whose match fits. Its Rule is nil if none does.
func (s *Set) Match(m *Masked, l *Line, may func(*Rule) bool, fits func(*Match) bool) Match {
	text := m.Text(l)
	var lower []byte
	for i := range s.Rules {
		r := &s.Rules[i]
		if !may(r) {
			continue
		}
		searched := text
		if r.folds {
			if lower == nil {
				lower = bytes.ToLower(text)
			}
			searched = lower
		}
		if r.needs != nil && !hasOne(searched, r.needs) {
			continue
		}
		groups := r.exp.FindSubmatchIndex(text)
		if groups == nil {
			continue
		}
		found := Match{Rule: r, Behind: l.First + groups[1], Name: group(groups, r.name, l.First), Qualifier: group(groups, r.of, l.First)}
		if name := m.Code[found.Name[0]:found.Name[1]]; r.name >= 0 && (len(name) == 0 || !r.keyed && s.Reserved[string(name)]) || !fits(&found) {
			continue
		}
		return found
	}
	return Match{}
}

func group(groups []int, i, first int) [2]int {
	if i < 0 || groups[2*i] < 0 {
		return [2]int{}
	}
	return [2]int{first + groups[2*i], first + groups[2*i+1]}
}

func hasOne(text []byte, words []string) bool {
	for _, w := range words {
		if bytes.Contains(text, []byte(w)) {
			return true
		}
	}
	return false
}
