package sage

import "strconv"

// span is the lines of r as people write them, or "".
func (r CodeRef) span() string {
	switch {
	case r.Lines == [2]int{}:
		return ""
	case r.Lines[0] == r.Lines[1] || r.Lines[1] == 0:
		return strconv.Itoa(r.Lines[0])
	}
	return strconv.Itoa(r.Lines[0]) + "-" + strconv.Itoa(r.Lines[1])
}
