package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/history"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/hint"
)

type purgeOptions struct {
	path, match       string
	past              bool
	foreign, finish   bool
	dryRun, yes, push bool
}

const purgeLong = `Remove something from history for good: a secret that was found late, or
something that should never have been saved. It is the only command that
rewrites history.

  <id>...      remove checkpoints; what followed them continues what they
               continued. What quotes one word for word stays, and is named
               with the --match that cleans it
  --path       remove a file or folder from every commit of the knowledge; with
               --past, all that was there before, and keep what is there now
  --match      replace every match of the pattern (RE2) by [PURGED], in texts,
               messages, names, notes, conversations and records of sessions
  --foreign    remove commits and files of your own that a remote named and an
               older version took in; your branches keep them
  --finish     remove what is left of an earlier purge, or of somebody else's
               purge that a merge brought here

It shows what would be removed and which copies it cannot reach, and asks. Then
all lines, forks, tags and fetched refs move at once; our reflogs, backup and
caches are cleared; the old objects are removed, also from packs; and every
object that is left is searched. Your own branches and files are not touched.

Purging a checkpoint also purges the recorded conversation of its session, and
every mention of it in others. Whatever was said before a purge and not yet
recorded will not be recorded.

Old ids keep working: the knowledge records what became of each. Change a leaked
secret all the same: whoever read it still has it, and an old id can confirm a
guess at a short one.

If it is killed, run it again to finish. --push replaces the refs on each remote
that has them, unless the remote has moved on, and pushes the record that makes
other clones purge too.

With --json, print an object with act and id per checkpoint, then one for the
whole: refs that move, numbers of commits, files and objects, what is left,
remotes, what is unreachable, what was pushed, and whether the purge is
complete.`

const purgeExample = `git sage purge 1a2b3c4d
git sage purge --match 'hunter[0-9]+' --dry-run
git sage purge --path knowledge/3f/old-tokens.md --yes --push`

// NewPurge makes 'git sage purge'.
func NewPurge(a *app.App) *cobra.Command {
	var o purgeOptions
	cmd := &cobra.Command{
		Use:     "purge (<id>... | [--past] --path <path> | --match <pattern> | --foreign | --finish) [-n] [-y] [--push]",
		Short:   "Remove something from history for good",
		Long:    purgeLong,
		Example: purgeExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPurge(cmd.Context(), a, &o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.path, "path", "", "remove the file or folder of the knowledge at `path`")
	f.BoolVar(&o.past, "past", false, "with --path: keep what is there now")
	f.StringVar(&o.match, "match", "", "replace every match of `pattern`")
	f.BoolVar(&o.foreign, "foreign", false, "remove what is not memory")
	f.BoolVar(&o.finish, "finish", false, "remove what is left of earlier purges")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "show what would be removed, and change nothing")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&o.push, "push", false, "also replace it on the remotes")
	return cmd
}

// request reads the options: exactly one way to say what is to go.
func (o *purgeOptions) request(args []string) (gitstore.PurgeRequest, error) {
	req := gitstore.PurgeRequest{Revs: args, Path: strings.TrimSuffix(o.path, "/"), Past: o.past, Match: o.match, Foreign: o.foreign}
	ways := 0
	for _, given := range []bool{len(args) > 0, o.path != "", o.match != "", o.foreign, o.finish} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0:
		return req, usage.Errorf("name what to purge: <id>..., --path <path>, --match <pattern>, --foreign or --finish")
	case ways > 1:
		return req, usage.Errorf("use only one of <id>..., --path, --match, --foreign and --finish")
	case o.past && o.path == "":
		return req, usage.Errorf("--past needs --path <path>")
	}
	return req, nil
}

func runPurge(ctx context.Context, a *app.App, o *purgeOptions, args []string) error {
	req, err := o.request(args)
	if err != nil {
		return err
	}
	m, err := a.Open(ctx)
	if err != nil {
		return err
	}
	plan, err := m.Store.Purge.Plan(ctx, req)
	if err != nil {
		return err
	}
	if idle(plan) && !o.push && !o.finish {
		a.Say("nothing to purge")
		return printPlanJSON(a, plan)
	}
	if err := printPlan(a, plan, o); err != nil || o.dryRun {
		return err
	}
	if !o.yes && (!idle(plan) || o.push) {
		if !a.TTY || !a.InputTTY() {
			return exit.WithHint(errors.New("a purge must be confirmed, and there is no terminal; nothing was purged"), "'--yes' purges without asking")
		}
		question := "purge this for good?"
		if idle(plan) {
			question = "replace it on the remotes?"
		}
		if !a.Ask(question, "nothing was purged") {
			return exit.ErrNo
		}
	}
	return purgeNow(ctx, a, m.Store, req, plan, o)
}

// idle reports whether there is nothing that plan would change here.
func idle(plan gitstore.PurgePlan) bool {
	return len(plan.Refs) == 0 && plan.Unfinished == 0 && plan.Conversations == 0 && plan.Beside == 0 && plan.Waiting == 0
}

// printPlan shows what goes, and what is out of reach.
func printPlan(a *app.App, plan gitstore.PurgePlan, o *purgeOptions) error {
	if o.yes && !o.dryRun {
		return nil // it is shown when it is done
	}
	if err := printPurged(a, "would ", plan); err != nil {
		return err
	}
	if err := printPlanJSON(a, plan); err != nil {
		return err
	}
	warnLiving(a, "would go", plan)
	switch {
	case idle(plan):
		a.Say("nothing left to purge here")
	case len(plan.Refs) > 0:
		a.Say("would rewrite %s and %s, and move %s", legible.Count(plan.Rewritten, "commit"), legible.Count(plan.Files, "file"), legible.Count(len(plan.Refs), "ref"))
	}
	if plan.Conversations > 0 {
		a.Say("would remove it from %s of conversations", legible.Count(plan.Conversations, "object"))
	}
	if plan.Beside > 0 {
		a.Say("would remove it from %s of sessions and caches", legible.Count(plan.Beside, "file"))
	}
	if plan.Waiting > 0 {
		a.Say("would drop %s, which may hold it", legible.Count(plan.Waiting, "unread conversation"))
	}
	if plan.Unfinished > 0 {
		a.Say("would remove %s of an earlier purge or a killed save", legible.Count(plan.Unfinished, "trace"))
	}
	warnQuoted(a, plan)
	if !idle(plan) || o.push {
		warnBeyond(a, plan, o.push)
	}
	return nil
}

// mostLiving is how many files are named that are there now and go.
const mostLiving = 20

// warnLiving names what is there now and goes with what was there before.
func warnLiving(a *app.App, goes string, plan gitstore.PurgePlan) {
	for i, f := range plan.Living {
		if i == mostLiving {
			a.Warn("and %d more that are there now", len(plan.Living)-i)
			break
		}
		said := ""
		if f.Title != "" {
			said = ": " + f.Title
		}
		a.Warn("%s, which is there now, %s%s", f.Name, goes, said)
	}
}

// warnQuoted names what stays and quotes a purged checkpoint, and says what cleans it.
func warnQuoted(a *app.App, plan gitstore.PurgePlan) {
	for _, i := range plan.Quoted {
		a.Warn("%s quotes it, and stays: %s", a.Short(i.ID), i.Description)
	}
	if len(plan.Quoted) > 0 {
		a.Hint("'git sage purge --match %s' cleans what quotes it", gitstore.InShell(plan.Quotes))
	}
}

// warnBeyond names the places that a purge does not reach. Remotes are reached by a
// push. Of one that the memory was never fetched from nobody knows what it has.
func warnBeyond(a *app.App, plan gitstore.PurgePlan, push bool) {
	if !push {
		for _, r := range plan.Remotes {
			a.Warn("copies stay in the remote '%s', which had it at the last fetch", r)
		}
		for _, r := range plan.Others {
			a.Warn("copies may stay in the remote '%s', if it was pushed there", r)
		}
	}
	for _, where := range plan.Unreachable {
		a.Warn("copies may stay in %s", where)
	}
}

func printPurged(a *app.App, tense string, plan gitstore.PurgePlan) error {
	for _, i := range plan.Touched {
		act := "clean"
		if i.Gone {
			act = "purge"
		}
		if tense == "" {
			act += map[string]string{"clean": "ed", "purge": "d"}[act]
		}
		if err := history.PrintActed(a, tense+act, []gitstore.Record{{ID: i.ID, Description: i.Description}}, false); err != nil {
			return err
		}
	}
	return nil
}

func purgeNow(ctx context.Context, a *app.App, s *gitstore.Store, req gitstore.PurgeRequest, plan gitstore.PurgePlan, o *purgeOptions) error {
	out, err := s.Purge.Run(ctx, req)
	if err != nil {
		return err
	}
	out.Beside, out.Waiting, out.Quoted, out.Quotes = plan.Beside, plan.Waiting, plan.Quoted, plan.Quotes
	a.Acted = "the refs are rewritten; 'git sage purge --finish' removes what is left"
	unsaid := printPurged(a, "", out.PurgePlan) // which keeps nothing from being pushed
	if o.yes {                                  // else it was said before
		warnLiving(a, "went", out.PurgePlan)
	}
	left := len(out.Left) > 0
	for _, l := range out.Left {
		fmt.Fprintf(a.Err, "error: still in %s: %s\n", term.Visible(l.Name), term.Visible(a.Typed(hint.Note(l.Note()))))
	}
	if out.Conversations > 0 {
		a.Say("removed from %s of conversations", legible.Count(out.Conversations, "object"))
	}
	if plan.Beside > 0 {
		a.Say("removed from %s of sessions and caches", legible.Count(plan.Beside, "file"))
	}
	if plan.Waiting > 0 {
		a.Say("dropped %s, which may have held it", legible.Count(plan.Waiting, "unread conversation"))
	}
	a.Say("%s removed; searched %s: %s", legible.Count(out.Objects, "object"), legible.Count(out.Searched, "object"), found(len(out.Left)))
	if o.yes { // else it was said before
		warnQuoted(a, plan)
		warnBeyond(a, out.PurgePlan, o.push)
	}
	var pushes []gitstore.PurgePush
	if o.push {
		pushes, err = s.Purge.Push(ctx)
		left = !sayPushes(a, pushes, err) || left
		anew, e := s.Remotes.PushSealed(ctx)
		for _, name := range anew {
			a.Say("encrypted all that '%s' has again, without it; its old commits stay on the host until that removes them", term.Visible(name))
		}
		err = cmp.Or(err, e)
	} else if where := append(plan.Remotes, plan.Others...); len(where) > 0 && (len(plan.Refs) > 0 || plan.Unfinished > 0) {
		a.Hint("'git sage purge --finish --push' replaces it on %s", strings.Join(where, ", "))
	}
	if e := printPurgedJSON(a, out, plan.Unfinished, pushes, !left); unsaid == nil {
		unsaid = e
	}
	if err != nil { // some remote did not answer
		return err
	}
	if unsaid == nil && left {
		return exit.ErrNo
	}
	return unsaid
}

func found(n int) string {
	if n == 0 {
		return "it is in none"
	}
	return fmt.Sprintf("it is in %d", n)
}

// sayPushes reports whether all remotes took what they should.
func sayPushes(a *app.App, pushes []gitstore.PurgePush, err error) bool {
	good, said := true, map[string]bool{}
	for _, p := range pushes {
		if p.Err != nil {
			good = false
			why := hint.Error(p.Err)
			if said[p.Remote+" "+why] {
				why = "for the same reason"
			}
			said[p.Remote+" "+why] = true
			fmt.Fprintf(a.Err, "error: '%s' did not take %s: %s\n", term.Visible(p.Remote), term.Visible(p.Ref), term.Visible(why))
			continue
		}
		now := "removed"
		switch {
		case p.Old == "":
			now = a.Short(p.New)
		case p.New != "":
			now = a.Short(p.Old) + ".." + a.Short(p.New)
		}
		a.Say("pushed to '%s': %s %s", p.Remote, p.Ref, now)
	}
	if len(pushes) == 0 && err == nil {
		a.Say("no remote has it")
	}
	return good && err == nil
}
