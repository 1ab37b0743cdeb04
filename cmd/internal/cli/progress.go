package cli

import (
	"fmt"
	"strings"
	"time"
)

// barWidth is how many columns the bar itself has.
const barWidth = 30

// A progressBar shows on a terminal how far long work is. Elsewhere, and for what is
// done within a moment, it shows nothing.
type progressBar struct {
	a     *app
	what  string
	all   int
	begun time.Time
	shown bool
}

// progress begins a bar.
func (a *app) progress(what string) *progressBar {
	return &progressBar{a: a, what: what, begun: a.now()}
}

// left tells how much is to be done yet; the first call says what is all.
func (p *progressBar) left(n int) {
	p.all = max(p.all, n)
	if !p.a.errTTY || p.all == 0 || p.a.now().Sub(p.begun) < time.Second/2 {
		return
	}
	done := p.all - n
	full := barWidth * done / p.all
	fmt.Fprintf(p.a.err, "\r%s [%s%s] %d/%d", p.what, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), done, p.all)
	p.shown = true
}

// end takes the bar away.
func (p *progressBar) end() {
	if p.shown {
		fmt.Fprintf(p.a.err, "\r%s\r", strings.Repeat(" ", len(p.what)+barWidth+30))
		p.shown = false
	}
}
