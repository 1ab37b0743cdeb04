package doctor

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A setting of git's with all its values, in order.
type multi map[string][]string

func (m multi) last(key string) string {
	v := m[key]
	if len(v) == 0 {
		return ""
	}
	return v[len(v)-1]
}

// configWell looks for settings of git that would harm the memory, or hide it.
func (ex *Examiner) configWell(ctx context.Context) []part.Diagnosis {
	a := gitconfig.Ask(ctx, ex.repo.Git)
	if a.Err != nil {
		return []part.Diagnosis{part.Failure("config", a.Err.Error(), remedy.Typed("git config --list --show-origin"))}
	}
	m := multi{}
	f := bytes.Split(a.Out, []byte{0})
	for i := 0; i+1 < len(f)-2*ex.repo.Git.OwnConfig(); i += 2 {
		key, value, set := strings.Cut(string(f[i+1]), "\n")
		if !set { // a key alone is true
			value = "true"
		}
		m[key] = append(m[key], value)
	}
	var all []part.Diagnosis
	for _, key := range sortedKeys(m) {
		for _, v := range m[key] {
			all = append(all, judgeRemote(key, v, m)...)
		}
	}
	all = append(all, judgeSettings(m)...)
	if !ex.backup.Durable() {
		all = append(all, part.Oddity("config", "sage.durable is false: a power cut may lose the latest saves", remedy.Typed("git config sage.durable true")))
	}
	if len(all) == 0 {
		return ok("config", "no git setting is in the way")
	}
	return all
}

func sortedKeys(m multi) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// judgeRemote judges what is said of a remote.
func judgeRemote(key, value string, m multi) []part.Diagnosis {
	name, isRemote := strings.CutPrefix(key, "remote.")
	remote, option, ok := gitconfig.CutLast(name, ".")
	if !isRemote || !ok {
		return nil
	}
	value, remote = legible.OneLine(value), legible.OneLine(remote)
	switch option {
	case "fetch":
		return judgeFetch(remote, value, m)
	case "push":
		if src, _, _ := strings.Cut(strings.TrimPrefix(value, "+"), ":"); overlaps(src) && strings.Contains(src, "*") {
			return []part.Diagnosis{part.Oddity("config", fmt.Sprintf("'git push %s' pushes memory refs by pattern (%s); after a power cut, that can delete them there", remote, value), remedy.Typed(fmt.Sprintf("git config --fixed-value --unset-all remote.%s.push '%s'", remote, value)))}
		}
	case "mirror":
		if !backup.IsFalse(value) {
			return []part.Diagnosis{part.Oddity("config", fmt.Sprintf("'git push %s' mirrors every ref, including the memory, and deletes there what is missing here", remote), remedy.Typed(fmt.Sprintf("git config --unset remote.%s.mirror", remote)))}
		}
	}
	return nil
}

// judgeFetch refuses what a fetch would write over our own refs: it overwrites or,
// with fetch.prune, deletes what was not pushed.
func judgeFetch(remote, spec string, m multi) []part.Diagnosis {
	_, dst, ok := strings.Cut(spec, ":")
	if !ok || !overlaps(dst) || strings.HasPrefix(dst, refname.RemotePrefix) {
		return nil
	}
	does := "fails where both sides saved"
	if strings.HasPrefix(spec, "+") {
		does = "overwrites unpushed checkpoints"
	}
	for _, key := range []string{"remote." + remote + ".prune", "fetch.prune"} {
		if v := m.last(key); v != "" && !backup.IsFalse(v) {
			does = "deletes unpushed checkpoints"
			break
		}
	}
	cure := fmt.Sprintf("git config --fixed-value --replace-all remote.%s.fetch '+refs/sage/heads/*:%s%s/heads/*' '%s'", remote, refname.RemotePrefix, remote, spec)
	if !strings.HasPrefix(dst, "refs/sage/") {
		cure = fmt.Sprintf("fetch branches and tags only: git config --fixed-value --replace-all remote.%s.fetch '+refs/heads/*:refs/heads/*' '%s'", remote, spec)
	}
	return []part.Diagnosis{part.Failure("config", fmt.Sprintf("'git fetch %s' writes to the memory's own refs (%s) and %s", remote, spec, does), remedy.Typed(cure))}
}

// overlaps reports whether a side of a refspec takes in refs of ours.
func overlaps(side string) bool {
	stem, _, pattern := strings.Cut(side, "*")
	return strings.HasPrefix(side, "refs/sage/") || pattern && strings.HasPrefix("refs/sage/", stem)
}

// judgeSettings judges settings that are not of a remote.
func judgeSettings(m multi) (all []part.Diagnosis) {
	for _, key := range []string{"transfer.hiderefs", "uploadpack.hiderefs"} {
		for _, v := range m[key] {
			if v = legible.OneLine(v); strings.HasPrefix("refs/sage/", strings.TrimSuffix(strings.TrimLeft(v, "^"), "/")+"/") && !strings.HasPrefix(v, "!") {
				all = append(all, part.Oddity("config", key+" is "+v+": fetches from here do not get the memory", remedy.Typed("git config --fixed-value --unset "+key+" '"+v+"'")))
			}
		}
	}
	if v := m.last("gc.pruneexpire"); slices.Contains([]string{"now", "all", "0"}, v) {
		all = append(all, part.Oddity("config", "gc.pruneExpire is "+v+": a gc may delete what another git is writing; saves wait while a gc runs", remedy.Typed("git config gc.pruneExpire 2.weeks.ago")))
	}
	if v := m.last("core.hookspath"); v != "" {
		all = append(all, part.OK("config", "core.hooksPath is "+legible.OneLine(v)+"; git-sage runs no git hooks"))
	}
	return all
}
