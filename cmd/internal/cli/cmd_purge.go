package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/gitstore"
)

type purgeOptions struct {
	path, match       string
	foreign, finish   bool
	dryRun, yes, push bool
}

const purgeLong = `Take something out of history for good: a secret that was found late, or what
should never have been saved. It is the only command that rewrites history.

  <id>...      the checkpoints leave history; what followed them continues what
               they continued
  --path       a file or folder leaves every commit of the knowledge tree
  --match      every match of the pattern (RE2) becomes [PURGED], in texts,
               messages, names, notes, conversations and what is kept of
               sessions
  --foreign    what is not memory leaves history: commits and files of your own
               that a remote named and an older version took in; your branches
               keep them
  --finish     remove what is left of an earlier purge, or of one by somebody
               else that a merge brought here

It shows what would go and where copies stay that it cannot reach, and asks.
Then all lines, forks, tags and what was fetched move at once; the logs of our
refs, backup and caches are cleared; the old objects are removed, also from
packs; and every object that is left is searched. Nothing of yours is touched.
With a checkpoint goes the whole conversation of the session that saved it, where
conversations are kept, and in others what names it; what was said before a purge
is not kept any more.
Old ids go on to work: the knowledge tree records what became of each. Change a
secret all the same: who has read it has it, and an old id tells whether a guess
at a short one is right.

Killed anywhere, it is finished by running it again. --push replaces on each
remote what holds it, unless that has moved meanwhile, and pushes the record by
which the clones of others let go of it.

With --json the checkpoints come as objects with act and id, and behind them one
of the whole: refs that move, numbers of commits, files and objects, what is left,
remotes, what is unreachable, what was pushed, and whether the purge is complete.`

const purgeExample = `git sage purge 1a2b3c4d
git sage purge --match 'hunter[0-9]+' --dry-run
git sage purge --path knowledge/3f/old-tokens.md --yes --push`

func newPurgeCmd(a *app) *cobra.Command {
	var o purgeOptions
	cmd := &cobra.Command{
		Use:     "purge (<id>... | --path <path> | --match <pattern> | --foreign | --finish) [-n] [-y] [--push]",
		Short:   "Take something out of history for good",
		Long:    purgeLong,
		Example: purgeExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.purge(cmd.Context(), &o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.path, "path", "", "a file or folder of the knowledge tree, at `path`")
	f.StringVar(&o.match, "match", "", "all texts that `pattern` matches")
	f.BoolVar(&o.foreign, "foreign", false, "what is not memory")
	f.BoolVar(&o.finish, "finish", false, "remove what is left of earlier purges")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "show what would go, and change nothing")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&o.push, "push", false, "replace it on the remotes, too")
	return cmd
}

// request reads the options: exactly one way to say what is to go.
func (o *purgeOptions) request(args []string) (gitstore.PurgeRequest, error) {
	req := gitstore.PurgeRequest{Revs: args, Path: strings.TrimSuffix(o.path, "/"), Match: o.match, Foreign: o.foreign}
	ways := 0
	for _, given := range []bool{len(args) > 0, o.path != "", o.match != "", o.foreign, o.finish} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0:
		return req, usagef("say what to purge: <id>..., --path <path>, --match <pattern>, --foreign or --finish")
	case ways > 1:
		return req, usagef("say what to purge in one way: <id>..., --path, --match, --foreign or --finish")
	}
	return req, nil
}

func (a *app) purge(ctx context.Context, o *purgeOptions, args []string) error {
	req, err := o.request(args)
	if err != nil {
		return err
	}
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	plan, err := m.Store.PlanPurge(ctx, req)
	if err != nil {
		return err
	}
	if idle(plan) && !o.push && !o.finish {
		a.say("nothing to purge")
		return a.printPlanJSON(plan)
	}
	if err := a.printPlan(plan, o); err != nil || o.dryRun {
		return err
	}
	if !o.yes && (!idle(plan) || o.push) {
		if !a.isTTY || !a.inputTTY() {
			return withHint(errors.New("nobody was asked, and nothing was purged"), "'--yes' purges without asking")
		}
		question := "purge this for good?"
		if idle(plan) {
			question = "replace it on the remotes?"
		}
		if !a.ask(question) {
			return errNo
		}
	}
	return a.purgeNow(ctx, m.Store, req, plan, o)
}

// idle reports whether there is nothing that plan would change here.
func idle(plan gitstore.PurgePlan) bool {
	return len(plan.Refs) == 0 && plan.Unfinished == 0 && plan.Conversations == 0 && plan.Beside == 0 && plan.Waiting == 0
}

// printPlan shows what goes, and what is out of reach.
func (a *app) printPlan(plan gitstore.PurgePlan, o *purgeOptions) error {
	if o.yes && !o.dryRun {
		return nil // it is shown when it is done
	}
	if err := a.printPurged("would ", plan); err != nil {
		return err
	}
	if err := a.printPlanJSON(plan); err != nil {
		return err
	}
	switch {
	case idle(plan):
		a.say("nothing is left to purge here")
	case len(plan.Refs) > 0:
		a.say("would give another id to %s and %s, and move %s", plural(plan.Rewritten, "commit"), plural(plan.Files, "file"), plural(len(plan.Refs), "ref"))
	}
	if plan.Conversations > 0 {
		a.say("would take it out of %s of conversations", plural(plan.Conversations, "object"))
	}
	if plan.Beside > 0 {
		a.say("would take it out of %s kept of sessions, or derived", plural(plan.Beside, "file"))
	}
	if plan.Waiting > 0 {
		a.say("%s not read yet, in which it may be: what was said until now would not be kept", plural(plan.Waiting, "conversation"))
	}
	if plan.Unfinished > 0 {
		a.say("an earlier purge, or a save that was killed, left %s to be removed", plural(plan.Unfinished, "trace"))
	}
	if !idle(plan) || o.push {
		a.warnBeyond(plan, o.push)
	}
	return nil
}

// warnBeyond names the places that a purge does not reach. Remotes are reached by a
// push. Of one that the memory was never fetched from nobody knows what it has.
func (a *app) warnBeyond(plan gitstore.PurgePlan, push bool) {
	if !push {
		for _, r := range plan.Remotes {
			a.warn("copies stay in the remote '%s', which had it when it was last fetched from", r)
		}
		for _, r := range plan.Others {
			a.warn("copies may stay in the remote '%s', if it was pushed there", r)
		}
	}
	for _, where := range plan.Unreachable {
		a.warn("copies may stay in %s", where)
	}
}

func (a *app) printPurged(tense string, plan gitstore.PurgePlan) error {
	for _, i := range plan.Touched {
		act := "clean"
		if i.Gone {
			act = "purge"
		}
		if tense == "" {
			act += map[string]string{"clean": "ed", "purge": "d"}[act]
		}
		if err := a.printActed(tense+act, []gitstore.Record{{ID: i.ID, Description: i.Description}}, false); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) purgeNow(ctx context.Context, s *gitstore.Store, req gitstore.PurgeRequest, plan gitstore.PurgePlan, o *purgeOptions) error {
	out, err := s.Purge(ctx, req)
	if err != nil {
		return err
	}
	out.Beside, out.Waiting = plan.Beside, plan.Waiting
	a.acted = "what was to be purged is rewritten; 'git sage purge --finish' says what is left"
	unsaid := a.printPurged("", out.PurgePlan) // which keeps nothing from being pushed
	left := len(out.Left) > 0
	for _, l := range out.Left {
		fmt.Fprintf(a.err, "error: still in %s: %s\n", visible(l.Name), oneLine(l.Why))
	}
	if out.Conversations > 0 {
		a.say("taken out of %s of conversations", plural(out.Conversations, "object"))
	}
	if plan.Beside > 0 {
		a.say("taken out of %s kept of sessions, or derived", plural(plan.Beside, "file"))
	}
	if plan.Waiting > 0 {
		a.say("what was said until now in %s that was not read yet is not kept", plural(plan.Waiting, "conversation"))
	}
	a.say("%s removed; searched %s: %s", plural(out.Objects, "object"), plural(out.Searched, "object"), found(len(out.Left)))
	if o.yes { // else it was said before
		a.warnBeyond(out.PurgePlan, o.push)
	}
	var pushes []gitstore.PurgePush
	if o.push {
		pushes, err = s.PushPurged(ctx)
		left = !a.sayPushes(pushes, err) || left
	} else if where := append(plan.Remotes, plan.Others...); len(where) > 0 && (len(plan.Refs) > 0 || plan.Unfinished > 0) {
		a.hint("'git sage purge --finish --push' replaces it on %s", strings.Join(where, ", "))
	}
	if e := a.printPurgedJSON(out, plan.Unfinished, pushes, !left); unsaid == nil {
		unsaid = e
	}
	if err != nil { // some remote did not answer
		return err
	}
	if unsaid == nil && left {
		return errNo
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
func (a *app) sayPushes(pushes []gitstore.PurgePush, err error) bool {
	good, said := true, map[string]bool{}
	for _, p := range pushes {
		if p.Err != nil {
			good = false
			why := p.Err.Error()
			if said[p.Remote+" "+why] {
				why = "for the same reason"
			}
			said[p.Remote+" "+why] = true
			fmt.Fprintf(a.err, "error: '%s' did not take %s: %s\n", visible(p.Remote), visible(p.Ref), oneLine(why))
			continue
		}
		now := "removed"
		switch {
		case p.Old == "":
			now = a.short(p.New)
		case p.New != "":
			now = a.short(p.Old) + ".." + a.short(p.New)
		}
		a.say("pushed to '%s': %s %s", p.Remote, p.Ref, now)
	}
	if len(pushes) == 0 && err == nil {
		a.say("no remote has it")
	}
	return good && err == nil
}
