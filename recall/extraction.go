package recall

// Extraction tells a model what of a conversation makes a checkpoint: eight points,
// named as the tools name them, and what to keep, to summarise and to drop. Whoever
// asks a model for a checkpoint shows it, so that it stands here once. It is 1,900
// characters, some 470 tokens.
const Extraction = `Take these eight points out of the conversation:
1. core_question: the decision or action that all of it drives toward.
2. thesis: the position held now, in one or two sentences.
3. confidence: 0 to 1, honestly; 0.3 is a working hypothesis.
4. open_questions: what is still unknown, five at most.
5. sources: each one that counts: what it is, its take for the decision in one or two sentences, and whether it supports, contradicts or nuances the thesis.
6. tensions: where credible sources disagree. Settle none too early.
7. unique_contributions: what was found here and stands in no outside source.
8. action_goal and action_type: what is being done with it, and by when.
Beside them: key_evidence, the facts that carry the thesis; reasoning_trace, how they led to it; files_explored, files_changed, code_refs.

Keep: theses; disagreements of credible sources; what was discovered here; constraints that rule an option out; goal, deadline and who is concerned; open questions.
Summarise: evidence (its conclusion stays), background, technical details that are not the point, the argument of a source (its take stays).
Drop, or leave a pointer: tangents, questions that are settled, what several sources repeat, history that changes nothing, talk about the work itself.

The test of each piece: would it change the decision? Would it have to be found out again? Is it ours alone? Then keep it. Can it be looked up? Then a pointer will do. Somebody who has only this checkpoint must be able to go on, and decide the same.`
