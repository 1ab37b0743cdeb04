package api

import (
	"context"
	_ "embed"

	"github.com/git-sage/git-sage/cmd/internal/wire"
)

// description is what endpoints are, as OpenAPI has it: a test writes it and holds it to the
// answers.
//
//go:embed openapi.json
var description []byte

// An endpoint answers one method of one path with an object.
type endpoint struct {
	method, path string
	doc          string // what it is, in a line
	params       []param
	body, result any // of their types
	answer       func(*API, context.Context, call) (any, error)
}

// isOfMemory reports whether an answer stays as it is as long as the memory does. What sessions
// took is in the client's transcripts, which grow beside it.
func (e endpoint) isOfMemory() bool { return e.method == "GET" && e.path != usagePath }

// usagePath is where what sessions took is asked for.
const usagePath = "/api/usage"

// A param is a parameter of the query. One that may be given several times ends with "...".
type param struct{ name, doc string }

var (
	lineParam   = param{"line", "only this line"}
	sinceParam  = param{"since", "only what is newer, as git log takes it"}
	authorParam = param{"author", "only authors that match this regular expression"}
	limitParam  = param{"limit", "at most so many"}
)

// endpoints are all there are.
var endpoints = []endpoint{
	{"GET", "/api/status", "Where you stand and what needs attention, as 'git sage status'.", nil, nil, wire.Status{}, (*API).status},
	{"GET", "/api/checkpoints", "Checkpoints, newest first, as 'git sage log'.", []param{
		limitParam, {"skip", "leave out the first ones"}, lineParam, {"q", "only those whose description, thesis or question has this text"}, sinceParam, {"until", "only what is older"}, authorParam,
	}, nil, Checkpoints{}, (*API).checkpoints},
	{"GET", "/api/checkpoints/{id}", "A checkpoint with all its fields, as 'git sage show'; id is whatever names one there.", nil, nil, wire.Checkpoint{}, (*API).checkpoint},
	{"GET", "/api/checkpoints/{a}/diff/{b}", "How two checkpoints differ by meaning, as 'git sage diff', and word by word.", nil, nil, Comparison{}, (*API).diff},
	{"GET", "/api/lines", "Lines and forks, as 'git sage branch --all'.", nil, nil, Lines{}, (*API).lines},
	{"GET", "/api/graph", "A part of all checkpoints with the lanes that hold them.", []param{
		{"from", "the first row, from 0"}, limitParam, {"q", "only those that have all of these words"}, {"line", "only those that this line points to"}, {"removed", "also what was removed, if not empty"}, {"at", "an id, or its beginning, of which place tells the row"},
	}, nil, Graph{}, (*API).graphWindow},
	{"POST", "/api/merge", "Merge into the current line, or settle the merge at its tip, as 'git sage merge'.", nil, MergeRequest{}, wire.Merged{}, (*API).merge},
	{"GET", "/api/knowledge", "Items, pinned notes and core files, as 'git sage list'.", []param{
		{"q", "only what has all of these words"}, {"type...", "only this kind"}, {"status...", "only this status"}, {"tag...", "the same as status"}, {"skill", "only this skill"}, {"all", "every status and age, if not empty"},
	}, nil, Knowledge{}, (*API).knowledge},
	{"GET", "/api/knowledge/recall", "What a prompt would bring back and why, as 'git sage knowledge match --explain'. Without q it is the item of that name.", []param{
		{"q", "the prompt"}, {"skill", "the skill that is active"}, {"trial", "an item that is recalled as if it named other requests: nothing is saved"}, {"when...", "a request that it names then"},
	}, nil, Recall{}, (*API).recall},
	{"GET", "/api/knowledge/{id...}", "An item with all its fields, as 'git sage knowledge show'.", nil, nil, wire.Item{}, (*API).item},
	{"PUT", "/api/knowledge/{id...}", "Change an item, or add one. 409 says that it is not as it was seen, and what is there now.", nil, ItemEdit{}, Changed{}, (*API).putItem},
	{"DELETE", "/api/knowledge/{id...}", "Remove an item. 409 says that it is not as it was seen, and what is there now.", nil, ItemRemoval{}, Changed{}, (*API).deleteItem},
	{"GET", "/api/review", "What nobody confirmed yet, as 'git sage review'.", []param{limitParam, {"id", "only what is of this checkpoint, item or core file"}}, nil, Review{}, (*API).review},
	{"POST", "/api/review/{id}", "Judge what waits; id is its key. 409 says that it is not as it was shown.", nil, Judgement{}, Judged{}, (*API).judge},
	{"GET", "/api/search", "Checkpoints, knowledge and code by meaning and by words, as 'git sage search'.", []param{
		{"q", "what to search for"}, {"in...", "only checkpoints, knowledge or code"}, limitParam, lineParam, sinceParam, authorParam, {"all", "also checkpoints that are hidden by age or number, if not empty"},
	}, nil, Search{}, (*API).search},
	{"GET", usagePath, "What sessions took in tokens, what git-sage added, and what came of it, as 'git sage usage'.", []param{
		sinceParam, {"by", "what a row is of: session, line, model, which is the default, or day"},
	}, nil, Usage{}, (*API).usage},
	{"GET", "/api/activity", "Who did what lately, as 'git sage activity'.", []param{sinceParam, authorParam}, nil, Activity{}, (*API).activity},
}
