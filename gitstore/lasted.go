package gitstore

import "time"

// lasted is how long something took, in words and with the units and limits of git's
// relative dates: 40 seconds, 70 minutes, 2 hours, 3 days.
func lasted(d time.Duration) string {
	seconds := int(d.Round(time.Second) / time.Second)
	minutes := (seconds + 30) / 60 // each is rounded from the one before
	hours := (minutes + 30) / 60
	switch {
	case seconds < 90:
		return count(seconds, "second")
	case minutes < 90:
		return count(minutes, "minute")
	case hours < 36:
		return count(hours, "hour")
	}
	return count((hours+12)/24, "day")
}
