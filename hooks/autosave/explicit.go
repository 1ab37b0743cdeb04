package autosave

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose"
)

// asks are what a prompt may ask to keep, and what the agent is told then. Whoever asks to
// save a file, or talks about checkpoints, does not mean the memory: what is not plain is
// left to the agent, who knows the tools.
var asks = []struct {
	signs prose.Signs
	say   string
}{
	{prose.Todo, `call sage_save_knowledge with a knowledge_id that names it (a-z 0-9 -), item_type "todo", the task as content, and as keywords the words that a prompt about it would use`},
	{prose.Always, `call sage_save_knowledge with a knowledge_id that names it (a-z 0-9 -), item_type "preference", the rule as content, and as keywords the words that a prompt about it would use`},
	{prose.Remember, `call sage_save_knowledge with it as content, a knowledge_id that names it (a-z 0-9 -), as keywords the words that a prompt about it would use, and item_type "preference" if it is a preference of the user`},
	{prose.Checkpoint, "call sage_save_checkpoint with trigger manual and a complete state of the research"},
}

// What of a prompt is looked at: a request to keep something comes first or last, and
// between them is what somebody pasted.
const (
	firstAsked = 4
	lastAsked  = 2
)

// Requested is what the agent is told of a prompt that asks to keep something; "" of any
// other. What one sentence asks for is one thing, and the same is not asked for twice.
func Requested(prompt string) string {
	if len(prompt) > maxHeard {
		prompt = prompt[:maxHeard/2] + "\n\n" + prompt[len(prompt)-maxHeard/2:]
	}
	list, language := prose.Read(prompt), prose.Language(prompt)
	if n := len(list); n > firstAsked+lastAsked {
		list = slices.Concat(list[:firstAsked], list[n-lastAsked:])
	}
	var say []string
	for _, s := range list {
		if words := toKeep(s, language); words != "" && !slices.Contains(say, words) {
			say = append(say, words)
		}
	}
	if len(say) == 0 {
		return ""
	}
	return "git-sage: the user asks you to save this: " + strings.Join(say, "; and ") + ". Then continue with the rest of the request, if any."
}

// toKeep is the call that keeps what a sentence asks to keep, "" if it asks for nothing of the
// kind: "remember that bug?" is a question, "don't forget to run the tests" a part of a task.
func toKeep(s prose.Sentence, l prose.Lang) string {
	signs := prose.SignsOf(s.Text, l)
	if strings.HasPrefix(s.Text, "TODO ") {
		signs |= prose.Todo
	}
	if s.Asks && !signs.Has(prose.Requests) || signs.Has(prose.Errand) {
		return ""
	}
	for _, a := range asks {
		if signs.Has(a.signs) {
			return a.say
		}
	}
	return ""
}
