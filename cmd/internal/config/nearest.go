package config

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// didYouMean is a clause that names the nearest key, or nothing if none is
// near: at most a third of the letters may differ.
func didYouMean(name string) string {
	if len(name) > 100 {
		return ""
	}
	best, least := "", len(name)/3+1
	for _, k := range keys {
		if d := naming.Distance(squeeze(name), squeeze(k.Name)); d < least {
			best, least = k.Name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean '%s'", best)
}
