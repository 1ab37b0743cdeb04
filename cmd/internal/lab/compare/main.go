// Command compare does the same work with git-sage and with other memories for agents, and
// prints what it came to as a table of Markdown.
//
//	compare [-in .build/compare] [-source .] [-data <folder>] [-model <folder>] [-only <tool>,...]
//
// It installs each as its documentation recommends, once, below -in; after that nothing needs
// a network. Each has a home of its own, and is spoken to over MCP as a client does: it starts,
// saves the docs of a set (-data: docs.jsonl and queries.jsonl), recalls, is used by eight
// servers at once, and is killed while it saves. What was acknowledged is counted afterwards
// by a new server. A tool that cannot be installed, does not start or refuses gets a line that
// says so.
//
// Times are medians; processor time is that of the server and of what it started, and does
// not count what other programs did meanwhile. -model names a folder with the model.onnx and
// tokenizer.json of all-MiniLM-L6-v2, which mcp-memory-service downloads where it can.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	in := flag.String("in", ".build/compare", "where the tools are installed")
	source := flag.String("source", ".", "the checkout of git-sage")
	data := flag.String("data", "", "a folder with docs.jsonl and queries.jsonl")
	model := flag.String("model", "", "a folder with the model of mcp-memory-service")
	only := flag.String("only", "", "these tools alone, with commas between")
	flag.Parse()
	if err := run(*in, *source, *data, *model, *only); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(in, source, data, model, only string) error {
	for _, p := range []*string{&in, &source} {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	b := &bench{runs: 5, saves: 300, writers: 8, each: 25, kills: 10, limit: 2 * time.Minute}
	var err error
	if b.docs, b.queries, err = material(data, b.saves); err != nil {
		return err
	}
	var results []*result
	for _, t := range tools(source, model) {
		if only != "" && !slices.Contains(strings.Split(only, ","), t.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "compare:", t.name)
		dir := filepath.Join(in, t.name)
		installed := t.install(dir)
		r := &result{tool: t}
		if installed.Failed == "" {
			r = b.try(t, dir)
		}
		r.installed = installed
		results = append(results, r)
	}
	fmt.Printf("Measured on %s; %d items and %d queries.\n\n", time.Now().UTC().Format(time.DateOnly), b.saves, len(b.queries))
	b.write(os.Stdout, results)
	return nil
}

// builtVersion is what a checkout calls itself.
func builtVersion(source string) string {
	out, err := exec.Command("git", "-C", source, "describe", "--tags", "--always").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
