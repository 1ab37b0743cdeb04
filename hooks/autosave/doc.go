// Package autosave saves of an agent's session, without anybody asking, what would be lost.
//
// At the end of a turn [Agent.Look] decides whether the moment deserves a save: then the
// next prompt reminds the agent of it, the agent is held until it saves, or a record is
// taken from its answer by rules, as its user wants. Before a compaction and at an end
// [Agent.SaveUnsaved] records what nobody saved, and [Agent.CatchUp] does so for a session
// that was killed. What takes longer than a client waits is left to a process that runs
// [Agent.Do]: with it a model may write the record, and the conversation may be kept.
package autosave
