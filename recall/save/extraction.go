package save

// Extraction tells a model what of a conversation makes a checkpoint: eight points,
// named as the tools name them, and what to keep, to summarise and to drop. Whoever
// asks a model for a checkpoint shows it, so that it stands here once. It is 1,900
// characters, some 470 tokens.
const Extraction = `Take these eight points from the conversation:
1. core_question: the decision or action that it leads to.
2. thesis: the current position, in one or two sentences.
3. confidence: 0 to 1, honestly; 0.3 is a working hypothesis.
4. open_questions: what is still unknown, five at most.
5. sources: each one that matters: what it is, what it means for the decision in one or two sentences, and whether it supports, contradicts or nuances the thesis.
6. tensions: where credible sources disagree. Do not settle them too early.
7. unique_contributions: what was found here and is in no outside source.
8. action_goal and action_type: what the result is for, and by when.
Also: key_evidence, the facts that support the thesis; reasoning_trace, how they led to it; files_explored, files_changed, code_refs.

Keep: theses; disagreements of credible sources; what was discovered here; constraints that rule an option out; goal, deadline and stakeholders; open questions.
Summarise: evidence (keep its conclusion), background, technical details that are not the point, the argument of a source (keep its take).
Drop, or leave a pointer to: tangents, settled questions, what several sources repeat, history that changes nothing, talk about the work itself.

Test each piece: would it change the decision? Would it have to be found out again? Is it ours alone? Then keep it. Can it be looked up? Then a pointer will do. A reader with only this checkpoint must be able to continue, and reach the same decision.`
