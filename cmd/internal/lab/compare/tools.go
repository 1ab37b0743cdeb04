package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A tool is a memory that is compared: how it is installed, started and asked, each as its own
// documentation recommends.
type tool struct {
	name, version, from string
	setup               func(dir string) [][]string
	server              func(dir string) []string
	env                 []string // {home} is the folder that it has for its home
	prepare             func(h *home) error
	save                func(d doc) call
	recall              func(query string) call
	list                func(page int) call
	// searches is the command that lists ten items for a query, if it is not recall.
	searches func(dir, query string) []string
	// shown is how an item is recognised in an answer: by any of these.
	shown func(d doc) []string
	// refused reports whether a text that came as an answer says that nothing was saved.
	refused  func(text string) bool
	saveless string // why nothing is saved with it
	unscored string // why its search says nothing
	remark   string // what explains its numbers
}

// A call is of an MCP tool.
type call struct {
	Name string         `json:"name"`
	Args map[string]any `json:"arguments"`
}

type args = map[string]any

// pip installs packages into an environment of their own.
func pip(python string, packages ...string) func(dir string) [][]string {
	return func(dir string) [][]string {
		venv := filepath.Join(dir, "venv")
		return [][]string{{python, "-m", "venv", venv}, append([]string{filepath.Join(venv, "bin", "pip"), "install", "-q"}, packages...)}
	}
}

func npm(what string, flags ...string) func(dir string) [][]string {
	return func(dir string) [][]string {
		return [][]string{append([]string{"npm", "install", "--prefix", dir, "--no-audit", "--no-fund", what}, flags...)}
	}
}

// below is a program of an installation, with arguments.
func below(path string, args ...string) func(dir string) []string {
	return func(dir string) []string {
		return append([]string{filepath.Join(dir, filepath.FromSlash(path))}, args...)
	}
}

// quotedID finds an item by its id as JSON writes it.
func quotedID(d doc) []string { return []string{strconv.Quote(d.ID)} }

// heading finds it by its title, in what a search finds and in a list.
func heading(d doc) []string { return []string{"### " + d.ID + "\n", "| " + d.ID + " |"} }

func id(d doc) []string { return []string{d.ID} }

// wholeText finds it by what it says, as it stands or as JSON writes it.
func wholeText(d doc) []string {
	b, _ := json.Marshal(d.Text)
	return []string{d.Text, string(b[1 : len(b)-1])}
}

// tools lists them. source is the checkout that git-sage is built from, model a folder with
// model.onnx and tokenizer.json of all-MiniLM-L6-v2, which mcp-memory-service would download.
func tools(source, model string) []*tool {
	return []*tool{
		{
			name: "git-sage", version: builtVersion(source), from: "source",
			setup: func(dir string) [][]string {
				return [][]string{{"make", "-C", source, "install", "PREFIX=" + dir}}
			},
			server: below("bin/git-sage", "mcp", "serve"),
			save: func(d doc) call {
				return call{"sage_save_knowledge", args{"knowledge_id": d.ID, "content": d.Text}}
			},
			recall: func(q string) call { return call{"sage_recall_knowledge", args{"query": q}} },
			list: func(page int) call {
				return call{"sage_list_knowledge", args{"limit": 100, "skip": 100 * page}}
			},
			searches: func(dir, q string) []string {
				return below("bin/git-sage", "search", "--knowledge", "-n", "10", "--json", "--", q)(dir)
			},
			shown: id,
		},
		{
			name: "server-memory", version: "2026.8.31", from: "npm",
			setup:  npm("@modelcontextprotocol/server-memory@2026.8.31"),
			server: below("node_modules/.bin/mcp-server-memory"),
			env:    []string{"MEMORY_FILE_PATH={home}/memory.jsonl"},
			save: func(d doc) call {
				return call{"create_entities", args{"entities": []args{{"name": d.ID, "entityType": "fact", "observations": []string{d.Text}}}}}
			},
			recall: func(q string) call { return call{"search_nodes", args{"query": q}} },
			list:   func(int) call { return call{"read_graph", args{}} },
			shown:  quotedID,
			remark: "its search finds items that hold the query as it stands, so it finds none for a question",
		},
		{
			name: "mcp-memory-service", version: "12.4.0", from: "PyPI",
			setup:   pip(loadsExtensions(), "mcp-memory-service[sqlite]==12.4.0"),
			server:  below("venv/bin/memory", "server"),
			prepare: func(h *home) error { return giveModel(h, model) },
			save: func(d doc) call {
				return call{"memory_store", args{"content": d.Text, "conversation_id": "work", "metadata": args{"tags": "fact", "type": "note"}}}
			},
			recall:  func(q string) call { return call{"memory_search", args{"query": q, "limit": 10}} },
			list:    func(page int) call { return call{"memory_list", args{"page": page + 1, "page_size": 100}} },
			shown:   wholeText,
			refused: func(text string) bool { return !strings.Contains(text, "stored successfully") },
		},
		{
			name: "claude-sage", version: "4.2.3", from: "PyPI",
			setup:  pip("python3.12", "claude-sage[mcp]==4.2.3", "fastmcp<3"),
			server: below("venv/bin/sage-mcp"),
			prepare: func(h *home) error { // knowledge is a module that is off at first; the settings of the project go before the user's
				if err := os.MkdirAll(filepath.Join(h.work, ".sage"), 0o777); err != nil {
					return err
				}
				return os.WriteFile(filepath.Join(h.work, ".sage", "tuning.yaml"), []byte("modules: [core, knowledge]\n"), 0o666)
			},
			save: func(d doc) call {
				return call{"save_knowledge", args{"knowledge_id": d.ID, "content": d.Text, "keywords": longest(d.Text, 5)}}
			},
			recall:   func(q string) call { return call{"recall_knowledge", args{"query": q}} },
			list:     func(int) call { return call{"list_knowledge", args{}} },
			remark:   "with fastmcp below 3; with the one that is installed beside it now, its server ends at once",
			unscored: "the model that it downloads at first use cannot be had here",
			shown:    id,
		},
		{
			name: "claude-mem", version: "13.25.3", from: "npm",
			setup:  npm("claude-mem@13.25.3", "--legacy-peer-deps"),
			remark: "installed with npm's --legacy-peer-deps; without, npm chose versions for more than 15 minutes",
			server: func(dir string) []string {
				return []string{"node", filepath.Join(dir, "node_modules/claude-mem/plugin/scripts/mcp-server.cjs")}
			},
			saveless: "a model writes what it saves as sessions go by; its tool that saves directly wants a server with Postgres",
		},
		{
			name: "basic-memory", version: "0.24.1", from: "PyPI",
			setup:  pip("python3.12", "basic-memory==0.24.1"),
			server: below("venv/bin/basic-memory", "mcp"),
			save: func(d doc) call {
				return call{"write_note", args{"title": d.ID, "content": d.Text, "directory": "facts"}}
			},
			recall: func(q string) call { return call{"search_notes", args{"query": q}} },
			list: func(page int) call {
				return call{"list_directory", args{"dir_name": "/facts", "page": page + 1, "page_size": 200}}
			},
			shown:   heading,
			refused: func(text string) bool { return !strings.Contains(text, "Created note") },
			remark:  "its search is by words: by meaning it searches with a Python whose SQLite loads extensions, and a model that it downloads; neither could be had here",
		},
		{name: "beads", version: "1.3.0", from: "npm", setup: npm("@beads/bd@1.3.0")},
	}
}

// longest are the n longest words of a text, for tools that want keywords.
func longest(text string, n int) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", r) })
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words[:min(n, len(words))]
}

// loadsExtensions is a Python whose SQLite loads extensions, as mcp-memory-service wants.
func loadsExtensions() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import sqlite3; sqlite3.Connection.enable_load_extension").Run() == nil {
			return python
		}
	}
	return "python3"
}

// giveModel puts a model where mcp-memory-service would download it to.
func giveModel(h *home, from string) error {
	if from == "" {
		return errors.New("its model is missing: name a folder that has it with -model")
	}
	to := filepath.Join(h.dir, ".cache/mcp_memory/onnx_models/all-MiniLM-L6-v2/onnx")
	return os.CopyFS(to, os.DirFS(from))
}
