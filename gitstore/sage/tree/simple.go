package tree

import "strings"

// readSimple reads what nearly all of our front matter is: lines of a key and a text without
// quotes or escapes, a list of such texts in brackets, or a mapping of one more level. It takes
// a tenth of the time of the library, which is most of what it takes to judge or to list
// 10,000 items. It is not ok for anything else: the library reads that. Texts are cloned, for
// who keeps one of them would keep all of b.
func readSimple(b []byte) (n *Node, ok bool) {
	n = &Node{Kind: MapNode}
	inner := (*Node)(nil) // the mapping at hand below a key of n
	lines := 0
	for l := range strings.Lines(string(b)) {
		if lines++; lines > mostSimple {
			return nil, false
		}
		l = strings.TrimSuffix(l, "\n")
		into := n
		if below, ok := strings.CutPrefix(l, "  "); ok {
			if into, l = inner, below; inner == nil {
				return nil, false
			}
		} else if inner != nil && len(inner.Keys) == 0 {
			return nil, false // a key of nothing
		}
		key, rest, ok := strings.Cut(l, ":")
		if !ok || !isSimpleKey(key) || into.Get(key) != nil {
			return nil, false
		}
		key = strings.Clone(key)
		if rest == "" && into == n {
			inner = &Node{Kind: MapNode}
			n.Add(key, inner)
			continue
		}
		v, ok := simpleValue(rest)
		if !ok {
			return nil, false
		}
		if into.Add(key, v); into == n {
			inner = nil
		}
	}
	return n, lines > 0 && (inner == nil || len(inner.Keys) > 0)
}

// mostSimple bounds the lines: each key is looked for among those before it.
const mostSimple = 64

func isSimpleKey(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (i == 0 || c != '_' && c != '-' && !isDigit(c)) {
			return false
		}
	}
	return s != "" && len(s) <= 100
}

// simpleValue is what stands behind the colon of a key.
func simpleValue(s string) (*Node, bool) {
	s, ok := strings.CutPrefix(s, " ")
	if !ok || len(s) > 1000 {
		return nil, false
	}
	switch inner, end := strings.CutSuffix(s, "]"); {
	case len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"':
		s = s[1 : len(s)-1]
		for i := range len(s) {
			if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
				return nil, false
			}
		}
		return &Node{Text: strings.Clone(s)}, true
	case end && s[0] == '[':
		list := &Node{Kind: ListNode}
		if inner = inner[1:]; inner == "" {
			return list, true
		}
		for t := range strings.SplitSeq(inner, ", ") {
			if !isSimpleText(t, "._/-") {
				return nil, false
			}
			list.Vals = append(list.Vals, &Node{Text: strings.Clone(t), Plain: true})
		}
		return list, true
	}
	return &Node{Text: strings.Clone(s), Plain: true}, isSimpleText(s, "._/-:,;()+=")
}

// isSimpleText reports whether a text is letters, digits, single marks among them, and blanks.
func isSimpleText(s, marks string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c), isDigit(c):
		case i == 0, i == len(s)-1: // a mark there, or a blank, may mean something
			return false
		case c == ' ', strings.IndexByte(marks, c) >= 0 && (c != ':' || s[i+1] != ' '):
		default:
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
