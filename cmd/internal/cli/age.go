package cli

import (
	"fmt"
	"time"
)

const day = 24 * time.Hour

// age says how long before now t was, in git's words and with its rounding:
// each unit is used until it would be imprecise to go on.
func age(now, t time.Time) string {
	d := now.Sub(t)
	switch {
	case d < 0:
		return "in the future"
	case d < 90*time.Second:
		return ago(int(d/time.Second), "second")
	case d < 90*time.Minute-30*time.Second:
		return ago(round(d, time.Minute), "minute")
	case d < 36*time.Hour-30*time.Minute:
		return ago(round(d, time.Hour), "hour")
	case d < 14*day-12*time.Hour:
		return ago(round(d, day), "day")
	}
	return longAge(round(d, day))
}

// longAge is age for two weeks and more: weeks to 70 days, months to a year,
// years and months to five years, then years.
func longAge(days int) string {
	switch {
	case days < 70:
		return ago((days+3)/7, "week")
	case days < 365:
		return ago((days+15)/30, "month")
	case days < 1825:
		months := (days*12*2 + 365) / (365 * 2)
		if months%12 == 0 {
			return ago(months/12, "year")
		}
		return plural(months/12, "year") + ", " + ago(months%12, "month")
	}
	return ago((days+183)/365, "year")
}

func round(d, unit time.Duration) int { return int((d + unit/2) / unit) }

func ago(n int, unit string) string { return plural(n, unit) + " ago" }

// plural is "1 line" or "2 lines".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// gitDate is a date as git log prints it by default.
func gitDate(t time.Time) string { return t.Format("Mon Jan 2 15:04:05 2006 -0700") }
