package cli

// dayText is the section of the manual that no command has: what a person sees of the
// hooks. What stands in it of screens is what 'make day' records.
const dayText = `After 'git sage init --claude', you need not say 'save'. On Monday:

    > So which one do we ship?
      Read 2 files
    * Decision: we ship ARC. It beats LRU by 9 points on our traces.

    > What does that leave to do?
      Called sage
    * Two things: measure what the ghost list costs in memory, then
      change cache.go, which still says LRU.

The second prompt told the agent, not the screen, to save the decision.

On Tuesday, in a new session:

    > Where were we?
    * We decided to ship ARC: 9 points over LRU on our own traces. Open
      is what the ghost list costs in memory; cache.go still says LRU.

What happens, and when:

  session start    show the brief of the line, pinned notes, todos, core files,
                   what fits the project, and what is to be merged
  prompt           recall knowledge that fits it, once per session
  file             show what refers to it, and whether it has changed since
  end of a turn    nothing; the next prompt names what is worth saving
                   (autosave: suggest), or the agent is asked to save it (ask),
                   or it is saved (silent)
  compaction       save what is unsaved before it, restore the context after it
  subagent         give it the question, constraints and earlier failures
  end, or kill -9  save what is unsaved, and show it to the next session

To see what is installed, use 'git sage hooks status'; to find problems, 'git sage
doctor' and .git/sage/hooks.log. 'git config sage.autosave silent' stops the
reminders; 'git config sage.enabled false' switches everything off.`
