package checks

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
)

// PackIndexes checks that the index of each pack has the length that it should have. Git
// reads nothing of a pack whose index is cut off, and what it holds seems to be gone.
type PackIndexes struct{}

func (PackIndexes) Run(p *pass.Pass) {
	all, _ := backup.PacksIn(filepath.Dir(p.Repo.Where.Objects))
	for _, file := range all {
		err := packs.Check(file+".idx", p.Repo.IDSize())
		if err == nil || errors.Is(err, fs.ErrNotExist) { // see Graphs
			continue
		}
		p.Add("damaged-index", p.Under(file+".idx"), err.Error()+"; git cannot read this pack")
		p.Mend(&fixes.PackIndex{File: file, Name: p.Under(file + ".idx")})
		p.NamePack(filepath.Base(file))
	}
}
