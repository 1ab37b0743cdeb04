package cli

// dayText is the section of the manual that no command has: what a person sees of the
// hooks. What stands in it of screens is what 'make day' records.
const dayText = `After 'git sage init --claude' nobody has to say 'save'. On Monday:

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

  session start    the brief of the line, pinned notes, todos, core files, what fits
                   the project, and what waits to be merged
  prompt           knowledge that fits it, once in a session
  file             what refers to it, and whether it has changed since
  end of a turn    nothing; what is worth saving is told with the next prompt
                   (autosave: suggest), asked for (ask), or saved (silent)
  compaction       a recovery before it; what it took comes back once behind it
  subagent         the question, the constraints and what failed before
  end, or kill -9  what nobody saved is kept, and shown to the next session

'git sage hooks status' says what is installed, 'git sage doctor' what stands in the way,
.git/sage/hooks.log what went wrong. 'git config sage.autosave silent' tells no more;
'git config sage.enabled false' switches all of it off.`
