package cli

import "maps"

// What is said of knowledge has its cases here: see touchCases.
func init() {
	maps.Copy(touchCases, map[string][]touchCase{
		"git sage knowledge add":       {{args: "knowledge add -m more --keywords a,b"}, {args: "knowledge add --type preference -", stdin: "mine\n"}, {args: "knowledge add --id fact -m x", status: 128}},
		"git sage knowledge edit":      {{args: "knowledge edit fact", status: 1}, {args: "knowledge edit -F - fact", stdin: "other\n"}},
		"git sage knowledge update":    {{args: "knowledge update fact --keyword b"}, {args: "knowledge update fact", status: 129}},
		"git sage knowledge match":     {{args: "knowledge match fact"}, {args: "knowledge match --explain nothing", status: 1}},
		"git sage knowledge search":    {{args: "knowledge search fact"}},
		"git sage knowledge show":      {{args: "knowledge show fact"}, {args: "knowledge show --raw fact@{0}"}},
		"git sage knowledge list":      {{args: "knowledge list"}, {args: "knowledge list --json --all"}},
		"git sage knowledge extract":   {{args: "knowledge extract"}, {args: "knowledge extract --yes -", stdin: "We decided to use Redis.\n"}, {args: "knowledge extract --last", status: 128}},
		"git sage knowledge link":      {{args: "knowledge link fact related chore"}},
		"git sage knowledge deprecate": {{args: "knowledge deprecate fact --reason old"}},
		"git sage knowledge archive":   {{args: "knowledge archive fact"}},
		"git sage knowledge confirm":   {{args: "knowledge confirm fact"}, {args: "knowledge confirm nosuch", status: 128}},
		"git sage knowledge rm":        {{args: "knowledge rm fact"}},
		"git sage knowledge log":       {{args: "knowledge log"}, {args: "knowledge log --oneline fact"}},
		"git sage knowledge diff":      {{args: "knowledge diff fact"}},
		"git sage todo add":            {{args: "todo add another"}},
		"git sage todo list":           {{args: "todo list"}},
		"git sage todo pending":        {{args: "todo pending"}},
		"git sage todo done":           {{args: "todo done chore"}},
		"git sage todo reopen":         {{args: "todo reopen chore"}, {args: "todo reopen fact", status: 128}},
		"git sage failure add":         {{args: "failure add --approach that"}},
		"git sage failure list":        {{args: "failure list"}},
		"git sage note add":            {{args: "note add more -m text"}, {args: "note add goal -m x", status: 128}},
		"git sage note edit":           {{args: "note edit goal", status: 1}},
		"git sage note show":           {{args: "note show goal"}},
		"git sage note list":           {{args: "note list"}},
		"git sage note rm":             {{args: "note rm goal"}},
		"git sage core add":            {{args: "core add staged"}},
		"git sage core list":           {{args: "core list"}},
		"git sage core rm":             {{args: "core rm auth.go"}},
		"git sage skill new":           {{args: "skill new other --description text"}},
		"git sage skill list":          {{args: "skill list"}},
		"git sage skill show":          {{args: "skill show law"}},
		"git sage skill edit":          {{args: "skill edit law", status: 1}},
		"git sage skill doc":           {{args: "skill doc law --as more -m text"}, {args: "skill doc law -m text", status: 129}},
		"git sage skill context":       {{args: "skill context law"}},
		"git sage skill history":       {{args: "skill history law"}},
		"git sage skill rm":            {{args: "skill rm law"}},
	})
}
