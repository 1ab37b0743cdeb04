package term

import (
	"fmt"
	"time"
)

// Age says how long before now t was, in git's words and with its rounding:
// each unit is used until it would be imprecise to go on.
func Age(now, t time.Time) string {
	seconds := int(now.Sub(t) / time.Second)
	minutes := (seconds + 30) / 60 // each is rounded from the one before
	hours := (minutes + 30) / 60
	days := (hours + 12) / 24
	switch {
	case now.Before(t):
		return "in the future"
	case seconds < 90:
		return ago(seconds, "second")
	case minutes < 90:
		return ago(minutes, "minute")
	case hours < 36:
		return ago(hours, "hour")
	case days < 14:
		return ago(days, "day")
	}
	return longAge(days)
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
		return Plural(months/12, "year") + ", " + ago(months%12, "month")
	}
	return ago((days+183)/365, "year")
}

func ago(n int, unit string) string { return Plural(n, unit) + " ago" }

// Plural is "1 line" or "2 lines".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
