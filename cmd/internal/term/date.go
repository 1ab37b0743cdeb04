package term

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// dateLayouts are git's ways to write a date that are a layout and no more.
var dateLayouts = map[string]string{
	"default": "Mon Jan 2 15:04:05 2006 -0700",
	"iso":     "2006-01-02 15:04:05 -0700", "iso8601": "2006-01-02 15:04:05 -0700",
	"iso-strict": time.RFC3339, "iso8601-strict": time.RFC3339,
	"rfc": "Mon, 2 Jan 2006 15:04:05 -0700", "rfc2822": "Mon, 2 Jan 2006 15:04:05 -0700",
	"short": "2006-01-02",
}

// GitDate writes a time as git log does: as --date says, else log.date, else in
// git's default way. What only git can do of log.date is left at that, too.
func (t *Terminal) GitDate(at time.Time) string {
	mode := cmp.Or(t.Date, t.gitConfig("log.date"), "default")
	if auto, ok := strings.CutPrefix(mode, "auto:"); ok {
		if mode = "default"; t.TTY {
			mode = auto
		}
	}
	if text, ok := dateIn(mode, t.Now(), at); ok {
		return text
	}
	return at.Format(dateLayouts["default"])
}

// GitAge is how long ago a time was, in git's words.
func (t *Terminal) GitAge(at time.Time) string { return gitAge(t.Now(), at) }

// dateIn writes t in one of git's ways, if it is one of those known here.
func dateIn(mode string, now, t time.Time) (string, bool) {
	if local, ok := strings.CutSuffix(mode, "-local"); ok {
		mode, t = local, t.Local()
	}
	switch mode {
	case "relative":
		return gitAge(now, t), true
	case "unix":
		return strconv.FormatInt(t.Unix(), 10), true
	case "raw":
		return strconv.FormatInt(t.Unix(), 10) + t.Format(" -0700"), true
	case "local":
		return t.Local().Format("Mon Jan 2 15:04:05 2006"), true
	}
	layout, ok := dateLayouts[mode]
	return t.Format(layout), ok
}

// DateMode is the value of --date.
type DateMode string

func (m *DateMode) Set(s string) error {
	if _, ok := dateIn(strings.TrimPrefix(s, "auto:"), time.Time{}, time.Time{}); !ok {
		return fmt.Errorf("want default, relative, local, iso, iso-strict, rfc, short, raw or unix")
	}
	*m = DateMode(s)
	return nil
}
func (m *DateMode) String() string { return string(*m) }
func (*DateMode) Type() string     { return "string" }

// When is a time as the output wants it: how long ago for people, exact in a
// pipe.
func (t *Terminal) When(at time.Time) string {
	if t.TTY {
		return Age(t.Now(), at)
	}
	return at.Format(time.RFC3339)
}
