package gitsage_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/git-sage/git-sage/"

// rows are the layers, highest first. A package may import packages of lower
// rows only: never of a higher one, and none of its own row but what belongs to
// the same entry (a folder and what lies beneath it, unless that has an entry
// of its own). A package without an entry is an error: say where it belongs.
var rows = [][]string{
	{"cmd/internal/lab"}, // a module of its own
	{"cmd"},
	{"cmd/internal/cli"},
	{"cmd/internal/cli/serve", "cmd/internal/cli/review", "cmd/internal/cli/search", "cmd/internal/cli/team", "cmd/internal/cli/page", "cmd/internal/cli/ask"},
	{"cmd/internal/page"},
	{"cmd/internal/page/internal/api"},
	{"cmd/internal/page/pagetest"},
	{"cmd/internal/cli/health"},
	{"cmd/internal/cli/watcher", "cmd/internal/cli/model"},
	{"cmd/internal/cli/settings", "cmd/internal/cli/importing"},
	{"cmd/internal/cli/admin", "cmd/internal/cli/checkpoint", "cmd/internal/cli/code", "cmd/internal/cli/connect", "cmd/internal/cli/knowledge", "cmd/internal/cli/line", "cmd/internal/cli/notes", "cmd/internal/cli/remote", "cmd/internal/cli/tally"},
	{"cmd/internal/cli/export"},
	{"cmd/internal/page/onefile"},
	{"cmd/internal/page/internal/lanes", "cmd/internal/page/web"},
	{"cmd/internal/item", "cmd/internal/draft", "cmd/internal/history", "cmd/internal/fetched"},
	{"cmd/internal/app"},
	{"cmd/internal/models", "cmd/internal/editor", "cmd/internal/background"},
	{"cmd/internal/wire", "cmd/internal/exit"},
	{"cmd/internal/usage"},
	{"cmd/internal/term", "cmd/internal/config", "cmd/internal/interrupt"},
	{"cmd/internal/term/lineedit"},
	{"mcp"},
	{"mcp/internal/overhttp"},
	{"mcp/internal/server"},
	{"mcp/internal/prompts", "mcp/internal/resources", "mcp/internal/toolset"},
	{"mcp/internal/upkeep"},
	{"mcp/internal/checkpoints"},
	{"mcp/internal/knowledge", "mcp/internal/code"},
	{"mcp/internal/tool"},
	{"mcp/internal/client", "mcp/internal/conn"},
	{"mcp/internal/arg"},
	{"mcp/internal/protocol"},
	{"mcp/internal/texts"},
	{"hooks/watch"},
	{"hooks", "hooks/install"},
	{"hooks/install/internal/change"},
	{"hooks/install/internal/status"},
	{"hooks/install/internal/look", "hooks/install/internal/mend", "hooks/install/skills"},
	{"hooks/install/internal/place", "hooks/install/internal/predecessor", "hooks/install/internal/record"},
	{"hooks/install/internal/entry"},
	{"hooks/install/internal/draft"},
	{"hooks/install/internal/jsonc", "hooks/install/internal/toml"},
	{"hooks/install/internal/disk", "hooks/install/internal/edit"},
	{"hooks/autosave"},
	{"hooks/session", "hooks/distill", "hooks/tally", "hooks/salience", "hooks/trigger", "hooks/act"},
	{"hooks/transcript", "hooks/plugin", "hooks/internal", "hooks/githooks"},
	{"hooks/transcript/internal/digest", "hooks/transcript/sessions"},
	{"hooks/transcript/internal/attempt", "hooks/transcript/internal/record", "hooks/transcript/internal/walk"},
	{"hooks/transcript/internal/files", "hooks/transcript/internal/shell"},
	{"hooks/transcript/internal/scan", "hooks/transcript/internal/samples"},
	{"imports/githistory"},
	{"imports/claudesage", "imports/markdown", "imports/records"},
	{"imports/internal/plain", "imports/internal/roundtrip"},
	{"imports"},
	{"converse"},
	{"recall"},
	{"recall/save"},
	{"recall/review", "recall/references"},
	{"recall/internal/write"},
	{"recall/internal/continuity"},
	{"recall/internal/opening"},
	{"recall/internal/skills"},
	{"recall/prompts"},
	{"recall/search"},
	{"recall/similarity"},
	{"recall/internal/session"},
	{"recall/internal/templates"},
	{"recall/provenance"},
	{"recall/internal/knowledge"},
	{"recall/internal/project"},
	{"recall/internal/stores"},
	{"recall/sidecar"},
	{"recall/suspect"},
	{"recall/rank", "recall/propose", "recall/brief"},
	{"recall/doc"},
	{"codeindex"},
	{"codeindex/projects"},
	{"recall/embed", "recall/index"},
	{"recall/index/internal/list", "recall/index/internal/vectors"},
	{"recall/index/internal/segment"},
	{"recall/index/box", "recall/index/internal/near", "recall/index/signs"},
	{"recall/index/disk"},
	{"gitstore/internal/faults"},
	{"gitstore"},
	{"gitstore/internal/undo"},
	{"gitstore/internal/doctor"},
	{"gitstore/internal/verify"},
	{"gitstore/internal/verify/internal/checks"},
	{"gitstore/internal/verify/internal/pass"},
	{"gitstore/internal/verify/internal/fixes"},
	{"gitstore/internal/upkeep"},
	{"gitstore/internal/remotes"},
	{"gitstore/internal/exchange", "gitstore/internal/vault"},
	{"gitstore/internal/purge"},
	{"gitstore/internal/cleanse"},
	{"gitstore/internal/transcripts"},
	{"gitstore/internal/write"},
	{"gitstore/internal/follow", "gitstore/internal/notes"},
	{"gitstore/internal/admission"},
	{"gitstore/internal/confirm", "gitstore/internal/derived"},
	{"gitstore/internal/knowledge"},
	{"gitstore/internal/contents", "gitstore/internal/activity"},
	{"gitstore/internal/history"},
	{"gitstore/internal/commits"},
	{"gitstore/internal/session"},
	{"gitstore/internal/ledger"},
	{"gitstore/internal/ownership"},
	{"gitstore/internal/rewritten"},
	{"gitstore/internal/backup"},
	{"gitstore/internal/journal"},
	{"gitstore/internal/repo"},
	{"gitstore/internal/gitconfig", "gitstore/internal/worktree", "gitstore/internal/identity", "gitstore/internal/objects", "gitstore/internal/bulk"},
	{"gitstore/internal/discover", "gitstore/internal/reflog"},
	{"gitstore/internal/refname"},
	{"gitstore/internal/record"},
	{"gitstore/internal/converge", "gitstore/internal/threeway", "gitstore/internal/packs", "gitstore/internal/loose", "gitstore/internal/git", "gitstore/internal/gittree", "gitstore/internal/wording"},
	{"gitstore/storetest/servers"},
	{"gitstore/storetest", "gitstore/runs"},
	{"gitstore/internal/fsx"},
	{"gitstore/redact", "gitstore/template", "gitstore/part"},
	{"gitstore/redact/internal/beside", "gitstore/redact/internal/forms", "gitstore/redact/internal/lines", "gitstore/redact/internal/tokens"},
	{"gitstore/redact/internal/prose", "gitstore/redact/internal/shell"},
	{"gitstore/redact/internal/idioms"},
	{"gitstore/redact/internal/assign"},
	{"gitstore/redact/internal/shapes"},
	{"gitstore/redact/internal/cues", "gitstore/redact/internal/pieces", "gitstore/redact/internal/vocabulary"},
	{"gitstore/redact/internal/values"},
	{"gitstore/redact/internal/keys", "gitstore/redact/internal/spans"},
	{"gitstore/redact/internal/words"},
	{"gitstore/redact/internal/chars"},
	{"gitstore/sage/ingest"},
	{"gitstore/sage/diff"},
	{"gitstore/sage/briefing"},
	{"gitstore/sage/merge"},
	{"gitstore/sage/validate"},
	{"gitstore/sage/codec"},
	{"gitstore/sage/shorthand", "gitstore/sage/tree"},
	{"gitstore/sagetest"},
	{"gitstore/sage"},
	{"gitstore/sage/naming", "gitstore/sage/versions"},
	{"internal/modelhttp"},
	{"gitstore/sage/legible"},
	{"prose"},
	{"plugin"},
	{"codeindex/parse"}, // nothing else of the project, and alone with wazero
	{"codeindex/parse/internal/patterns"},
	{"internal/hint"},
	{"gitstore/remedy"},
	{"internal/plainfile", "internal/lists", "internal/environ", "internal/hunks"},
}

func TestImportsPointDown(t *testing.T) {
	for dir, imports := range importsByDir(t) {
		from, row := place(dir)
		if row < 0 {
			t.Errorf("%s has no row: add it to the layers", dir)
			continue
		}
		for imp, file := range imports {
			to, toRow := place(imp)
			switch {
			case toRow < 0:
				t.Errorf("%s imports %s, which has no row", file, imp)
			case from == to: // one entry
			case toRow < row:
				t.Errorf("%s: %s imports %s, which stands above it", file, dir, imp)
			case toRow == row:
				t.Errorf("%s: %s imports %s, which stands beside it", file, dir, imp)
			}
		}
	}
}

// TestOnlyCmdHoldsWeights keeps the embedded models, 58 MB, out of everything but the
// program: what needs an encoder is given one.
func TestOnlyCmdHoldsWeights(t *testing.T) {
	importers := 0
	for dir, imports := range importsByDir(t) {
		file, ok := imports["recall/embed/weights"]
		if ok && dir != "cmd" && !strings.HasPrefix(dir, "cmd/") {
			t.Errorf("%s: %s imports the weights", file, dir)
		}
		if ok {
			importers++
		}
	}
	if importers == 0 {
		t.Error("nobody imports the weights")
	}
}

// TestOnlyParseRunsModules keeps what runs WebAssembly, and the grammars, in one package of
// the program; the laboratory compares what that runs.
func TestOnlyParseRunsModules(t *testing.T) {
	importers := 0
	for file, imports := range imports(t, ".") {
		own := strings.HasPrefix(filepath.ToSlash(file), "codeindex/parse/")
		for _, imp := range imports {
			if strings.HasPrefix(imp, "github.com/tetratelabs/wazero") {
				importers++
				if !own && !strings.HasPrefix(filepath.ToSlash(file), "cmd/internal/lab/native/") {
					t.Errorf("%s imports %s", file, imp)
				}
			} else if rel, ok := strings.CutPrefix(imp, module); ok && own && rel != "codeindex/parse" && rel != "codeindex/parse/internal/patterns" {
				t.Errorf("%s imports %s", file, imp)
			}
		}
	}
	if importers == 0 {
		t.Error("nobody imports wazero")
	}
}

// TestOnlyVaultEncrypts keeps what encrypts in one package of the program.
func TestOnlyVaultEncrypts(t *testing.T) {
	importers := 0
	for file, imports := range imports(t, ".") {
		for _, imp := range imports {
			if !strings.HasPrefix(imp, "filippo.io/age") {
				continue
			}
			if importers++; !strings.HasPrefix(filepath.ToSlash(file), "gitstore/internal/vault/") {
				t.Errorf("%s imports %s", file, imp)
			}
		}
	}
	if importers == 0 {
		t.Error("nobody imports age")
	}
}

// TestSageStandsAlone holds the model of a checkpoint, and what is done with it, to the
// standard library, the readers of YAML and front matter, and prose, which cuts and spells texts and
// ends sentences.
func TestSageStandsAlone(t *testing.T) {
	for file, imports := range imports(t, "gitstore/sage") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, imp := range imports {
			host, _, _ := strings.Cut(imp, "/")
			yaml := strings.Contains(imp, "yaml") || strings.Contains(imp, "frontmatter")
			own := strings.HasPrefix(imp+"/", module+"gitstore/sage/") || imp == module+"prose" || imp == module+"prose/cut" || imp == module+"prose/spelling"
			if strings.Contains(host, ".") && !yaml && !own {
				t.Errorf("%s imports %s", file, imp)
			}
		}
	}
}

// TestLayersHoldTheRule makes sure that the rule itself can fail.
func TestLayersHoldTheRule(t *testing.T) {
	last := -1
	for _, tt := range [][2]string{ // from the top to the ground
		{"cmd/internal/lab/bench", "cmd/internal/lab"},
		{"cmd/git-sage", "cmd"},
		{"cmd/internal/page/internal/lanes", "cmd/internal/page/internal/lanes"},
		{"hooks/internal/logfile", "hooks/internal"},
		{"recall/embed/weights", "recall/embed"},
		{"gitstore/internal/git", "gitstore/internal/git"},
		{"gitstore/sage", "gitstore/sage"},
	} {
		entry, row := place(tt[0])
		if entry != tt[1] || row <= last {
			t.Errorf("place(%s) = %q, %d, want %q, below row %d", tt[0], entry, row, tt[1], last)
		}
		last = row
	}
	for _, dir := range []string{"elsewhere", "gitstorex"} {
		if entry, row := place(dir); row != -1 {
			t.Errorf("place(%s) = %q, %d, want none", dir, entry, row)
		}
	}
}

// place finds the entry that dir belongs to, the longest that holds it, and
// its row; -1 if there is none.
func place(dir string) (entry string, row int) {
	row = -1
	for i, entries := range rows {
		for _, e := range entries {
			if (dir == e || strings.HasPrefix(dir, e+"/")) && len(e) > len(entry) {
				entry, row = e, i
			}
		}
	}
	return entry, row
}

// importsByDir are the packages of this module that each folder's files import,
// with a file that does. Test files count, too; only what a folder's external
// tests import from itself does not.
func importsByDir(t *testing.T) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for file, imports := range imports(t, ".") {
		dir := filepath.ToSlash(filepath.Dir(file))
		if dir == "." {
			continue
		}
		if out[dir] == nil {
			out[dir] = map[string]string{}
		}
		for _, imp := range imports {
			if rel, ok := strings.CutPrefix(imp, module); ok && rel != dir {
				out[dir][rel] = file
			}
		}
	}
	if len(out) == 0 {
		t.Fatal("no packages found")
	}
	return out
}

// imports are the import paths of every Go file under root.
func imports(t *testing.T, root string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, path := range goFiles(t, root) {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = []string{}
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			out[path] = append(out[path], imp)
		}
	}
	return out
}

// goFiles are the Go files under root, but for those that go itself passes over.
func goFiles(t *testing.T, root string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (name == "testdata" || name[0] == '.' || name[0] == '_') {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
