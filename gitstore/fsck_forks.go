package gitstore

import "strings"

// forks names forks that their line contains, which the next merge folds, and
// those whose line is gone.
func (k *checker) forks() {
	for _, f := range k.refs {
		line, _, ok := strings.Cut(strings.TrimPrefix(f.name, forksPrefix), "/")
		if !ok || !strings.HasPrefix(f.name, forksPrefix) || f.symref != "" {
			continue
		}
		head := k.idOf(headRef(line))
		switch _, known := k.known[headRef(line)]; {
		case head == "" && !known:
			k.warn("orphan-fork", shortRef(f.name), "its line does not exist", "git sage branch "+line+" "+short(f.id))
		case head != "" && k.s.isAncestor(k.ctx, f.id, head):
			k.warn("merged-fork", shortRef(f.name), "its line contains it", "git sage merge "+shortRef(f.name))
		}
	}
}
