package trigger

// A Work is what was done in a conversation since the last save.
type Work struct {
	Searches int // of the web, and pages that were fetched
	Looks    int // files that were read, searches of the code
	Changed  int // files
	Fixed    int // tests that failed and pass now
}

// How many are half of a reason: n of them weigh n/(n+half). Three searches, three files
// read or eight changed, with a plain conclusion behind them, reach trigger_threshold;
// two do not.
const (
	halfLooks   = 2
	halfChanged = 5
	byFixed     = 0.6  // a test that failed passes
	mostByWork  = 0.85 // .7 x .85 stays below the threshold: without words no work is a conclusion
)

func share(n, half int) float64 { return float64(n) / float64(n+half) }

// strength is how much the work tells that something was found out, 0..1.
func (w Work) strength() float64 {
	s := max(share(w.Searches, halfLooks), share(w.Looks, halfLooks), share(w.Changed, halfChanged))
	if w.Fixed > 0 {
		s = max(s, byFixed)
	}
	return min(s, mostByWork)
}

// leastAsked is how many messages of a person tell how the questions went.
const leastAsked = 6

// converged is how much the share of questions in what a person says fell from the
// early half to the late one, if more than half of the early were questions and the drop
// is at least least; else 0.
func converged(turns []Turn, least float64) float64 {
	var asks []bool
	for _, t := range turns {
		if t.Person {
			asks = append(asks, asked(t.Text))
		}
	}
	if len(asks) < leastAsked {
		return 0
	}
	half := len(asks) / 2
	early, late := questions(asks[:half]), questions(asks[half:])
	if early <= 0.5 || early-late < max(least, 0.01) {
		return 0
	}
	return min(mostByWork, 0.5+(early-late)/2)
}

func questions(asks []bool) float64 {
	n := 0
	for _, a := range asks {
		if a {
			n++
		}
	}
	return float64(n) / float64(len(asks))
}

// asked reports whether a person asks something.
func asked(text string) bool {
	for _, s := range split(text) {
		if s.asks {
			return true
		}
	}
	return false
}
