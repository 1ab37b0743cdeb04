package term

import (
	"fmt"
	"strings"
	"time"
)

// barWidth is how many columns the bar itself has.
const barWidth = 30

// A Bar shows on a terminal how far long work is. Elsewhere, and for what is
// done within a moment, it shows nothing.
type Bar struct {
	t     *Terminal
	what  string
	all   int
	begun time.Time
	shown bool
}

// Progress begins a bar.
func (t *Terminal) Progress(what string) *Bar {
	return &Bar{t: t, what: what, begun: t.Now()}
}

// Left tells how much is to be done yet; the first call says what is all.
func (p *Bar) Left(n int) {
	p.all = max(p.all, n)
	if !p.t.ErrTTY || p.all == 0 || p.t.Now().Sub(p.begun) < time.Second/2 {
		return
	}
	done := p.all - n
	full := barWidth * done / p.all
	fmt.Fprintf(p.t.Err, "\r%s [%s%s] %d/%d", p.what, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), done, p.all)
	p.shown = true
}

// End takes the bar away.
func (p *Bar) End() {
	if p.shown {
		fmt.Fprintf(p.t.Err, "\r%s\r", strings.Repeat(" ", len(p.what)+barWidth+30))
		p.shown = false
	}
}
