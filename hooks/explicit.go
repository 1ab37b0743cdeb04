package hooks

import (
	"regexp"
	"strings"
	"sync"
)

// asks are the requests to save that a prompt may begin with or consist of, and what the
// agent is told then. Whoever asks to save a file, or talks about checkpoints, does not
// mean the memory: what is not plain is left to the agent, who knows the tools.
var asks = sync.OnceValue(func() []ask {
	const polite = `(?is)^(?:(?:please|ok|okay|now|and|then|hey)[,\s]+|(?:can|could|would) you (?:please )?|let'?s )*`
	rule := func(words, say string) ask { return ask{regexp.MustCompile(polite + words), say} }
	return []ask{
		rule(`(?:add (?:a )?)?to-?do(?:\s*:\s*|\s+-\s+)\S`,
			`call sage_save_knowledge with a knowledge_id that names it (a-z 0-9 -), item_type "todo", the task as content, and the words that a prompt about it would hold as keywords`),
		rule(`remember(?:\s*:|\s+(?:this|that|the following)\b)\s*\S`,
			`call sage_save_knowledge with it as content, a knowledge_id that names it (a-z 0-9 -), the words that a prompt about it would hold as keywords, and item_type "preference" if it is how the user wants things`),
		rule(`(?:make |save |create |set |do )?(?:a |the )?check-?point(?:\s*[.!]*\s*$|\s*[:,.!]\s|\s+(?:this|that|it|here|now|please|where we)\b)`, saveNow),
		rule(`(?:save|keep|remember|store|record)\s+(?:this|that|it|where we (?:are|stand)|our (?:progress|findings|conclusions?|decisions?))`+
			`(?:\s+(?:now|please|down|for (?:later|next time)|(?:as|in|to) (?:a |the |our |your )?(?:check-?point|memory|sage)|decision|conclusion|finding|insight|state))*(?:\s*[.!]*\s*$|\s*:\s)`, saveNow),
	}
})

const saveNow = "call sage_save_checkpoint with trigger manual and where the research stands, whole"

// An ask is a way to ask for something to be saved.
type ask struct {
	words *regexp.Regexp
	say   string
}

// explicit is what the agent is told of a prompt that asks to save something; "" of any
// other.
func explicit(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	if strings.HasSuffix(prompt, "?") && !strings.Contains(prompt, "\n") { // "Remember that bug?"
		return ""
	}
	head := prompt[:min(200, len(prompt))]
	for _, a := range asks() {
		if a.words.MatchString(head) {
			return "git-sage: the user asks for this to be saved: " + a.say + ". Then go on with the rest of the request, if there is one."
		}
	}
	return ""
}
