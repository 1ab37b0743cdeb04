//go:build cgo

package main

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/cue"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elm"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// bundled are the grammars that come from this binding. The others are newer than its own, and
// their trees differ for that.
var bundled = map[string]*sitter.Language{
	"cue": cue.GetLanguage(), "dockerfile": dockerfile.GetLanguage(), "elm": elm.GetLanguage(), "groovy": groovy.GetLanguage(),
	"hcl": hcl.GetLanguage(), "protobuf": protobuf.GetLanguage(), "sql": sql.GetLanguage(), "swift": swift.GetLanguage(),
}

const tenTimes = " ten times"

const parsers = "../../../../codeindex/parse"

// TestTreesAreThoseOfTheBinding: the sandboxed parsers make of each sample, and of ten of it
// in a row where these are without a fault, the tree that the C library makes: the same nodes
// at the same places. How faults are mended differs between versions of the runtime.
func TestTreesAreThoseOfTheBinding(t *testing.T) {
	for name, language := range bundled {
		t.Run(name, func(t *testing.T) {
			m := instantiate(t, name, language)
			files, err := filepath.Glob(filepath.Join(parsers, "testdata", name, "*"))
			if err != nil || len(files) < 2 {
				t.Fatalf("samples of %s: %v %v", name, files, err)
			}
			for _, f := range files {
				if filepath.Base(f) == "golden" {
					continue
				}
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				m.compare(t, language, f, text)
				m.compare(t, language, f+tenTimes, []byte(strings.Repeat(string(text)+"\n", 10)))
			}
		})
	}
}

// A node that is named and not empty, in the order in which nodes begin.
type node struct {
	symbol, parent, start, end uint32
}

func (m *module) compare(t *testing.T, language *sitter.Language, name string, text []byte) {
	t.Helper()
	tree, err := sitter.ParseCtx(t.Context(), text, language)
	if err != nil {
		t.Fatal(err)
	}
	want := nodesOf(tree, language.SymbolCount())
	got, broken := m.parse(t, text)
	switch {
	case broken != tree.HasError():
		t.Errorf("%s: has faults: %v, of the binding %v", name, broken, tree.HasError())
		return
	case broken && strings.HasSuffix(name, tenTimes):
		return
	case broken, len(want) < 20:
		t.Errorf("%s: %d nodes, faults: %v", name, len(want), broken)
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("%s: node %d is %s, of the binding %s", name, i, got[i].in(language), want[i].in(language))
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d nodes, of the binding %d", name, len(got), len(want))
	}
}

func (n node) in(l *sitter.Language) string {
	return fmt.Sprintf("%s %d-%d in %d", l.SymbolName(sitter.Symbol(n.symbol)), n.start, n.end, int32(n.parent))
}

// nodesOf walks a tree of the binding. What is an error has no symbol of the grammar.
func nodesOf(root *sitter.Node, symbols uint32) (out []node) {
	var walk func(n *sitter.Node, parent uint32)
	walk = func(n *sitter.Node, parent uint32) {
		if n.IsNamed() && n.EndByte() > n.StartByte() && uint32(n.Symbol()) < symbols {
			out = append(out, node{uint32(n.Symbol()), parent, n.StartByte(), n.EndByte()})
			parent = uint32(len(out) - 1)
		}
		for i := range int(n.ChildCount()) {
			walk(n.Child(i), parent)
		}
	}
	walk(root, ^uint32(0))
	return out
}

// A module is an embedded parser with rules by which its walker (walker.c of
// cmd/internal/lab/grammars) reports every node as a definition whose kind is its symbol.
type module struct {
	api.Module
	result uint32
}

// Of walker.c: the first role that is a kind, and the words of a definition.
const definition, definitionWords = 16, 13

func instantiate(t *testing.T, name string, language *sitter.Language) *module {
	t.Helper()
	f, err := os.Open(filepath.Join(parsers, "grammars", name+".wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	wasm, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	r := wazero.NewRuntime(t.Context())
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	goOn := api.GoFunc(func(_ context.Context, stack []uint64) { stack[0] = 0 })
	_, err = r.NewHostModuleBuilder("host").NewFunctionBuilder().
		WithGoFunction(goOn, nil, []api.ValueType{api.ValueTypeI32}).Export("stop").Instantiate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inner, err := r.InstantiateWithConfig(t.Context(), wasm, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	m := &module{Module: inner}
	var rules []uint32
	for s := range language.SymbolCount() {
		// length, symbol, role, flags, empty paths of name, body, scope and doc, no condition
		rules = append(rules, 9, s, definition+s, 0, 0, 0, 0, 0, 0)
	}
	rules = append(rules, 0, ^uint32(0))
	data, err := binary.Append(nil, binary.LittleEndian, rules)
	if err != nil {
		t.Fatal(err)
	}
	m.result = m.call(t, "begin", m.put(t, data), uint64(len(rules)-2))
	if m.result == 0 {
		t.Fatal("the runtime cannot run this grammar")
	}
	return m
}

func (m *module) call(t *testing.T, function string, args ...uint64) uint32 {
	t.Helper()
	out, err := m.ExportedFunction(function).Call(t.Context(), args...)
	if err != nil {
		t.Fatalf("%s: %v", function, err)
	}
	if len(out) == 0 {
		return 0
	}
	return uint32(out[0])
}

func (m *module) put(t *testing.T, data []byte) uint64 {
	t.Helper()
	at := m.call(t, "alloc", uint64(len(data)))
	if !m.Memory().Write(at, data) {
		t.Fatal("no memory in the module")
	}
	return uint64(at)
}

func (m *module) parse(t *testing.T, text []byte) (out []node, broken bool) {
	t.Helper()
	m.call(t, "parse", m.put(t, text), uint64(len(text)), 1<<31)
	words := func(at, n uint32) []uint32 {
		data, ok := m.Memory().Read(at, 4*n)
		out := make([]uint32, n)
		if _, err := binary.Decode(data, binary.LittleEndian, out); err != nil || !ok {
			t.Fatal("the module answers with what it does not hold")
		}
		return out
	}
	answer := words(m.result, 8)
	if answer[0] != 0 {
		t.Fatalf("parsing ended as %d", answer[0])
	}
	for d := range slices.Chunk(words(answer[2], answer[3]*definitionWords), definitionWords) {
		out = append(out, node{symbol: d[0], parent: d[1], start: d[2], end: d[3]})
	}
	return out, answer[1] > 0
}
