package term

import (
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Age says how long before now t was. What a clock that is wrong, or somebody who forged it, dated
// ahead of now is told with the date.
func Age(now, t time.Time) string {
	switch {
	case !now.Before(t):
		return gitAge(now, t)
	case t.Sub(now) < 12*time.Hour:
		return "at a time that has not come yet (" + t.Format("15:04:05 -0700") + ")"
	}
	return "at a time that has not come yet (" + t.Format(time.DateOnly) + ")"
}

// gitAge says how long before now t was, in git's words and with its rounding:
// each unit is used until it would be imprecise to go on.
func gitAge(now, t time.Time) string {
	const day = 24 * time.Hour
	since := now.Sub(t).Truncate(time.Second)
	days := int(since.Round(time.Minute).Round(time.Hour).Round(day) / day) // each from the one before
	switch {
	case now.Before(t):
		return "in the future"
	case days < 14:
		return legible.Lasted(since) + " ago"
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
		return legible.Count(months/12, "year") + ", " + ago(months%12, "month")
	}
	return ago((days+183)/365, "year")
}

func ago(n int, unit string) string { return legible.Count(n, unit) + " ago" }
