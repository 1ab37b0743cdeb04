package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/verify"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Diagnose looks at all that the memory needs around it: git and its configuration,
// the file system, the clock, who is saving, and whether the memory itself is
// whole. It changes nothing.
func (ex *Examiner) Diagnose(ctx context.Context) []part.Diagnosis {
	var all []part.Diagnosis
	for _, look := range []func(context.Context) []part.Diagnosis{
		ex.gitWell, ex.configWell, ex.diskWell, ex.clockWell, ex.identityWell, ex.trustWell, ex.memoryWell, ex.purgeWell, ex.backupWell, ex.partsWell, ex.upkeepWell,
	} {
		all = append(all, look(ctx)...)
	}
	return all
}

func ok(name, detail string) []part.Diagnosis { return []part.Diagnosis{part.OK(name, detail)} }

// partsWell is what parts say of themselves.
func (ex *Examiner) partsWell(ctx context.Context) (all []part.Diagnosis) {
	for _, p := range ex.parts.All() {
		if d, ok := p.(part.Diagnoser); ok {
			all = append(all, d.Diagnose(ctx)...)
		}
	}
	return all
}

// oldGit is the first git that syncs what it writes when asked to: core.fsync.
const oldGit = 36

func (ex *Examiner) gitWell(ctx context.Context) []part.Diagnosis {
	out, err := ex.repo.Git.Run(ctx, "version")
	if err != nil {
		return []part.Diagnosis{part.Failure("git", err.Error(), remedy.Typed("install git"))}
	}
	version := strings.TrimPrefix(git.Text(out), "git version ")
	if major, minor := versionOf(version); major < 2 || major == 2 && minor < oldGit {
		return []part.Diagnosis{part.Oddity("git", version+" is old: from 2.36 on git syncs what it writes; until then git-sage does it", remedy.Typed("upgrade git when you can"))}
	}
	return ok("git", version)
}

// trustWell says how far what this user made here is known as theirs.
func (ex *Examiner) trustWell(context.Context) []part.Diagnosis {
	t, err := ex.ownership.Trust()
	switch {
	case err != nil:
		return []part.Diagnosis{part.Oddity("trust", err.Error()+"; everything counts as from elsewhere", remedy.Check.On())}
	case t.Why != "" && !ex.repo.Options.Global:
		return []part.Diagnosis{part.Oddity("trust", "your saves count as from elsewhere, because your home folder cannot record that they are yours: "+t.Why, remedy.Typed("set HOME or SAGE_HOME to a writable folder"))}
	case t.Unclaimed > 0:
		return []part.Diagnosis{part.Oddity("trust", legible.Count(t.Unclaimed, "commit")+" made here by an older version, by another user or before a copy count as from elsewhere", remedy.ConfirmAll.On())}
	}
	if t.Own == 0 {
		return ok("trust", "nothing saved by you here yet")
	}
	return ok("trust", legible.Count(t.Own, "commit")+" saved by you here")
}

func versionOf(v string) (major, minor int) {
	f := strings.SplitN(v, ".", 3)
	if len(f) > 1 {
		major, _ = strconv.Atoi(f[0])
		minor, _ = strconv.Atoi(f[1])
	}
	return major, minor
}

func (ex *Examiner) identityWell(ctx context.Context) []part.Diagnosis {
	p, fallback := ex.repo.PersonOf(ctx, "committer")
	if !fallback {
		return ok("identity", p.String())
	}
	if lines, err := ex.lines.List(ctx); err == nil && !slices.ContainsFunc(lines, func(l commits.Line) bool { return !l.Fork && l.Tip != "" && !l.Note.Closed }) { // it is early to complain
		return ok("identity", "git has no name and email for you; checkpoints will be by "+p.String()+" until you set them")
	}
	return []part.Diagnosis{part.Oddity("identity", "git has no name and email for you; checkpoints are by "+p.String(), remedy.Typed("git config --global user.name <name> && git config --global user.email <address>"))}
}

// doctorReads bounds what is read of history by who only asks how things are: 80 µs
// an object.
const doctorReads = 1000

// memoryWell looks at every ref as fsck does, and at the newest that they lead to.
func (ex *Examiner) memoryWell(ctx context.Context) []part.Diagnosis {
	r, err := ex.verify.Examine(ctx, doctorReads)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return []part.Diagnosis{part.Failure("memory", err.Error(), remedy.Check.On())}
	}
	locks := slices.DeleteFunc(slices.Clone(r.Findings), func(f part.Finding) bool { return f.Kind != "lock" })
	all := append([]part.Diagnosis{memory(r, r.Broken())}, lockWell(locks)...)
	if err := ex.repo.Enabled(); errors.Is(err, gitconfig.ErrDisabled) {
		all = append(all, part.Oddity("saving", "git-sage is switched off here", remedy.Typed("git config sage.enabled true")))
	} else if err != nil {
		all = append(all, part.Oddity("saving", err.Error(), remedy.Typed("git config sage.enabled true")))
	}
	return all
}

// purgeWell looks whether what was purged is here all the same: a purge that was ended,
// or what somebody else purged and a merge brought.
func (ex *Examiner) purgeWell(ctx context.Context) []part.Diagnosis {
	known := ex.rewritten.Purges()
	if len(known) == 0 {
		return nil
	}
	here, err := ex.purge.Still(ctx, known)
	if err != nil {
		return []part.Diagnosis{part.Oddity("purge", "cannot check whether purged objects are gone: "+err.Error(), remedy.Check.On())}
	}
	if len(here) > 0 {
		return []part.Diagnosis{part.Oddity("purge", purge.NotRemoved(here), remedy.FinishPurge.On())}
	}
	return ok("purge", "no purged content is left")
}

func memory(r verify.Report, broken []part.Finding) part.Diagnosis {
	size := fmt.Sprintf("%s on %s", legible.Count(r.Checkpoints, "checkpoint"), legible.Count(r.Lines, "line"))
	if r.Partly {
		size = "the newest " + size
	}
	switch {
	case len(broken) > 0 && r.Lost > 0:
		return part.Failure("memory", fmt.Sprintf("%s; %d cannot be read in full; %s found", size, r.Lost, legible.Count(len(broken), "problem")), remedy.Check.On())
	case len(broken) > 0:
		return part.Failure("memory", fmt.Sprintf("%s can be read, but %s found, the first: %s %s: %s", size, legible.Count(len(broken), "problem"), broken[0].Kind, broken[0].Subject, broken[0].Detail), remedy.Check.On())
	case len(r.Findings) > 0:
		return part.OK("memory", size+": everything can be read", remedy.Check.On().To("lists "+legible.Count(len(r.Findings), "remark")))
	case r.Partly:
		return part.OK("memory", size+" can be read", remedy.Check.On().To("reads all"))
	case r.Checkpoints == 0:
		return part.OK("memory", "no checkpoints yet")
	}
	return part.OK("memory", size+": everything can be read")
}

func lockWell(locks []part.Finding) []part.Diagnosis {
	if len(locks) == 0 {
		return ok("locks", "no stale locks")
	}
	var all []part.Diagnosis
	for _, f := range locks {
		d := part.Failure("locks", f.Subject+": "+f.Detail, f.Cure...)
		if f.Warning {
			d.State = part.StateWarning
		}
		all = append(all, d)
	}
	return all
}
