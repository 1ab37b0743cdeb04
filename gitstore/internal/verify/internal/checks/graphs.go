package checks

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// Graphs checks what git derives from objects and would trip over: a pack without
// its index, and files whose checksum is wrong. They are git's, so that only git
// makes them anew; a pack is never removed.
type Graphs struct{}

func (Graphs) Run(p *pass.Pass) {
	pack := filepath.Join(p.Repo.Where.Objects, "pack")
	list, _ := fsx.ReadDir(pack)
	has := map[string]bool{}
	for _, e := range list {
		has[e.Name()] = true
	}
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.Name(), ".pack"); ok && strings.HasPrefix(name, "pack-") && !has[name+".idx"] {
			// upkeep that was killed leaves one, and loses nothing: what is missing is named by itself
			p.Warn("missing-index", name, "the pack has no index, so git cannot read it", remedy.Typed("git index-pack '"+filepath.Join(pack, e.Name())+"'"))
		}
	}
	sealed(p, filepath.Join(pack, "multi-pack-index"), "git multi-pack-index write")
	info := filepath.Join(p.Repo.Where.Objects, "info")
	sealed(p, filepath.Join(info, "commit-graph"), "git commit-graph write --reachable")
	list, _ = fsx.ReadDir(filepath.Join(info, "commit-graphs"))
	for _, e := range list {
		if strings.HasSuffix(e.Name(), ".graph") {
			sealed(p, filepath.Join(info, "commit-graphs", e.Name()), "git commit-graph write --reachable --split=replace")
		}
	}
}

// sealed checks a file that ends in the checksum of what comes before it.
func sealed(p *pass.Pass, file, cure string) {
	b, err := fsx.ReadFile(file)
	if err != nil {
		return
	}
	size := p.Repo.IDSize()
	var sum []byte
	if at := len(b) - size; at > 0 && size == sha1.Size {
		h := sha1.Sum(b[:at])
		sum = h[:]
	} else if at > 0 {
		h := sha256.Sum256(b[:at])
		sum = h[:]
	}
	if sum == nil || !bytes.HasSuffix(b, sum) {
		p.Add("damaged-index", p.Under(file), "wrong checksum; git can rebuild this file", remedy.Typed("rm '"+file+"' && "+cure))
	}
}
