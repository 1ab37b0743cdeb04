package change

import (
	"os"

	"github.com/git-sage/git-sage/hooks/install/internal/mend"
)

// sweep removes what is unfinished, and says so.
func (p Editor) sweep(r *mend.Result) {
	for _, path := range p.Unfinished() {
		if os.Remove(path) == nil {
			r.Also = append(r.Also, path+": removed, left by a killed install")
		}
	}
}
