package template

import (
	"errors"
	"regexp"
	"strings"
	"sync"
)

// numberDot is a digit and a point with a character beyond ASCII behind it: there
// gonja (2.9.1) goes back by the width of that character, and so before the number,
// which it reads again for ever, until memory is full.
var numberDot = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{Nd}_]\.[^\x00-\x7f]`) })

// checkNumbers refuses what gonja would never come to the end of. Text before the
// first tag is not looked into by it.
func checkNumbers(format string) error {
	for _, open := range []string{"{{", "{%", "{#"} {
		if i := strings.Index(format, open); i >= 0 && numberDot().MatchString(format[i:]) {
			return errors.New("a number, a point and a character beyond ASCII run together: put a blank between them")
		}
	}
	return nil
}
