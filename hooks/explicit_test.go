package hooks

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

func TestExplicitRequests(t *testing.T) {
	const todo, know, save = `item_type "todo"`, "sage_save_knowledge with it", "sage_save_checkpoint"
	for prompt, want := range map[string]string{
		"checkpoint":              save,
		"Checkpoint.":             save,
		"please checkpoint this":  save,
		"Checkpoint: we use ARC":  save,
		"let's make a checkpoint": save,
		"Save this!":              save,
		"save this as a checkpoint, then go on with the tests": "",
		"save this for later":                               save,
		"Could you please save our progress":                save,
		"Ok, save where we are now.":                        save,
		"store that in sage":                                save,
		"remember this: the staging db is wiped on Sundays": know,
		"Remember that I prefer tabs":                       know,
		"remember: tabs":                                    know,
		"please remember this: x":                           know,
		"TODO: rotate the keys":                             todo,
		"add a todo: rotate the keys":                       todo,
		"to-do: x":                                          todo,

		"":                               "",
		"Remember that bug?":             "",
		"save this file as out.txt":      "",
		"save this to disk":              "",
		"Save the users to the database": "",
		"checkpoint/restore in containers, how does it work?": "",
		"checkpoints are large":                               "",
		"the model checkpoint does not load":                  "",
		"todo list app in React":                              "",
		"fix the TODO: in main.go":                            "",
		"what does \"save this\" do":                          "",
		"remember to run the tests":                           "",
		"keep it simple":                                      "",
		"I cannot remember this: what was it":                 "",
	} {
		got := explicit(prompt)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

// What a tool requires is named, for the call that is described is the one that is made.
func TestAskedPromptsNameWhatTheToolRequires(t *testing.T) {
	for _, prompt := range []string{"todo: rotate the keys", "remember this: the staging db is wiped on Sundays"} {
		if got := explicit(prompt); !strings.Contains(got, "knowledge_id") || !strings.Contains(got, "content") {
			t.Errorf("%q: %q", prompt, got)
		}
	}
}

func TestAskedPromptsNameTheCall(t *testing.T) {
	p := newPlace(t)
	p.know(sage.Item{ID: "staging-wipe", Keywords: []string{"staging database"}, Content: "It is emptied every Sunday night."})
	notice, text := p.ask("one", "remember this: the staging database is slow on Mondays")
	if !strings.HasPrefix(text, "git-sage: the user asks") || !strings.Contains(text, "emptied every Sunday") || notice == "" {
		t.Errorf("%q %q", notice, text)
	}
	if notice, text := p.ask("one", "save this"); notice != "" || !strings.Contains(text, "sage_save_checkpoint") {
		t.Errorf("%q %q", notice, text)
	}
	if _, text := p.ask("one", "<task-notification>save this</task-notification>"); text != "" {
		t.Errorf("of nobody: %q", text)
	}
}
