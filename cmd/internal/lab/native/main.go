//go:build cgo

// Command native parses files by tree-sitter as its C library runs it, and prints the time
// that the processor spent on it: what the sandboxed parsers of code search are measured
// against. It reads paths, one a line, whose first folder names the language.
//
// It is a module of its own, for it wants a C compiler, and a binding that the program does
// not have. Its test compares the trees of the two (`make grammars-verify`).
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

var languages = map[string]*sitter.Language{
	"bash": bash.GetLanguage(), "c": c.GetLanguage(), "cpp": cpp.GetLanguage(), "csharp": csharp.GetLanguage(),
	"java": java.GetLanguage(), "javascript": javascript.GetLanguage(), "php": php.GetLanguage(), "python": python.GetLanguage(),
	"ruby": ruby.GetLanguage(), "rust": rust.GetLanguage(), "scala": scala.GetLanguage(), "swift": swift.GetLanguage(),
	"typescript": typescript.GetLanguage(),
}

func main() {
	took, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "native:", err)
		os.Exit(1)
	}
	fmt.Println(took)
}

// run returns the processor's time without that for reading.
func run() (took time.Duration, err error) {
	parser := sitter.NewParser()
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		folder, _, _ := strings.Cut(in.Text(), "/")
		language := languages[folder]
		if language == nil {
			return 0, fmt.Errorf("%s: no language of that name", in.Text())
		}
		text, err := os.ReadFile(in.Text())
		if err != nil {
			return 0, err
		}
		parser.SetLanguage(language)
		before := spent()
		tree, err := parser.ParseCtx(context.Background(), nil, text)
		if err != nil {
			return 0, err
		}
		tree.Close()
		took += spent() - before
	}
	return took, nil
}

// spent is the processor's time so far.
func spent() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
