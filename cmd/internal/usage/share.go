package usage

import (
	"strconv"

	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
)

// Share is a number from 0 to 1, also as a percentage.
type Share float64

func (v *Share) Set(s string) error {
	x, err := shorthand.ParseShare(s)
	if err != nil {
		return shorthand.ErrShare // the error of an option names the value
	}
	*v = Share(x)
	return nil
}

func (v *Share) String() string { return strconv.FormatFloat(float64(*v), 'f', -1, 64) }

func (*Share) Type() string { return "share" }
