// Command grammars compiles the parsers of languages to WebAssembly again, byte for byte,
// from the C sources that sources.go names (`make grammars`):
//
//	grammars [-to codeindex/parse/grammars] [-cache .build/grammars] [language ...]
//
// The sources come from Go's module proxy, the compiler is zig from the Python package
// ziglang; both are pinned, and kept in the cache and in Go's. None of it becomes a
// dependency of the program.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed walker.c
var walker []byte

// licences are those of sources that come inside a module of somebody else's, copied from the
// commits that sources.go names.
//
//go:embed licences
var licences embed.FS

func main() {
	to := flag.String("to", "codeindex/parse/grammars", "the `folder` of the modules")
	cache := flag.String("cache", ".build/grammars", "the `folder` of the compiler and of what it makes")
	flag.Parse()
	if err := run(*to, *cache, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "grammars:", err)
		os.Exit(1)
	}
}

func run(to, cache string, only []string) error {
	cache, err := filepath.Abs(cache)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	zig, err := compiler(cache)
	if err != nil {
		return err
	}
	b := &builder{zig: zig, cache: cache, to: to, folders: map[string]string{}}
	for _, m := range modules {
		if b.folders[m.path], err = download(cache, m); err != nil {
			return err
		}
	}
	if err := b.compileWalker(); err != nil {
		return err
	}
	for _, s := range sources {
		if len(only) > 0 && !slices.Contains(only, s.language) {
			continue
		}
		if err := b.build(s); err != nil {
			return fmt.Errorf("%s: %w", s.language, err)
		}
	}
	return b.describe()
}

// download returns the folder of a module in Go's cache, once its sum is right.
func download(dir string, m module) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", m.path+"@"+m.version)
	cmd.Dir = dir // of no module
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GO111MODULE=on")
	out, err := cmd.Output()
	var got struct{ Dir, Sum, Error string }
	if jsonErr := json.Unmarshal(out, &got); jsonErr != nil || got.Error != "" || err != nil {
		return "", fmt.Errorf("download %s: %w", m.path, errors.Join(err, jsonErr, errors.New(got.Error)))
	}
	if got.Sum != m.sum {
		return "", fmt.Errorf("download %s@%s: sum %s where %s is wanted", m.path, m.version, got.Sum, m.sum)
	}
	return got.Dir, nil
}

type builder struct {
	zig, cache, to string
	folders        map[string]string // of modules
}

// flags leave out what would need a name of a file, which differs between machines: the
// messages of assertions. -O3 yields the same bytes as -O2.
var flags = []string{
	"-target", "wasm32-wasi", "-O2", "-DNDEBUG", "-DHAVE_ENDIAN_H", "-Wno-everything",
}

func (b *builder) compile(object, file string, args ...string) error {
	return b.cc(slices.Concat(flags, args, []string{"-c", file, "-o", filepath.Join(b.cache, object)})...)
}

func (b *builder) cc(args ...string) error {
	cmd := exec.Command(b.zig, append([]string{"cc"}, args...)...)
	cmd.Env = append(os.Environ(), "ZIG_GLOBAL_CACHE_DIR="+filepath.Join(b.cache, "zig-cache"),
		"ZIG_LOCAL_CACHE_DIR="+filepath.Join(b.cache, "zig-cache"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("zig cc: %w\n%s", err, out)
	}
	return nil
}

// compileWalker compiles what all modules share: the runtime, and what walks its trees.
func (b *builder) compileWalker() error {
	file := filepath.Join(b.cache, "walker.c")
	if err := os.WriteFile(file, walker, 0o644); err != nil {
		return err
	}
	lib := b.folders[binding]
	return b.compile("walker.o", file, "-I"+filepath.Join(lib, "src"), "-I"+filepath.Join(lib, "include"))
}

// build compiles one grammar, whose entry is renamed to what the walker calls, and links
// it. A module is written only where it differs from the one that lies there: another
// version of Go may compress it to other bytes.
func (b *builder) build(s source) error {
	dir := filepath.Join(b.folders[s.module], filepath.FromSlash(s.folder))
	function := s.function
	if function == "" {
		function = s.language
	}
	objects := []string{filepath.Join(b.cache, "walker.o")}
	for _, part := range []string{"parser", "scanner"} {
		file := filepath.Join(dir, part+".c")
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if part == "scanner" && len(s.fixes) > 0 {
			var err error
			if file, err = b.fixed(file, s); err != nil {
				return err
			}
		}
		object := s.language + "-" + part + ".o"
		if err := b.compile(object, file, "-I"+dir, "-Dtree_sitter_"+function+"=grammar"); err != nil {
			return err
		}
		objects = append(objects, filepath.Join(b.cache, object))
	}
	file := filepath.Join(b.cache, s.language+".wasm")
	err := b.cc(slices.Concat([]string{"-target", "wasm32-wasi", "-mexec-model=reactor", "-O2", "-Wl,--strip-all", "-Wl,--gc-sections"},
		objects, []string{"-o", file})...)
	if err != nil {
		return err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	path := filepath.Join(b.to, s.language+".wasm.gz")
	if have, err := unpack(path); err == nil && bytes.Equal(have, wasm) {
		fmt.Println("same ", s.language)
		return nil
	}
	packed, err := pack(wasm)
	if err != nil {
		return err
	}
	fmt.Printf("wrote %s, %d bytes, %d packed\n", s.language, len(wasm), len(packed))
	return os.WriteFile(path, packed, 0o644)
}

// fixed writes a scanner with its fixes into the cache.
func (b *builder) fixed(file string, s source) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	for _, f := range s.fixes {
		if bytes.Count(text, []byte(f.from)) != 1 {
			return "", fmt.Errorf("%s: not once in %s: %s", s.language, file, f.from)
		}
		text = bytes.Replace(text, []byte(f.from), []byte(f.to), 1)
	}
	file = filepath.Join(b.cache, s.language+"-scanner.c")
	return file, os.WriteFile(file, text, 0o644)
}

func pack(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

func unpack(path string) ([]byte, error) {
	packed, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// describe writes the table of the modules that are there, and the licences.
func (b *builder) describe() error {
	var table strings.Builder
	table.WriteString(head)
	notices, err := b.shared()
	if err != nil {
		return err
	}
	versions := map[string]string{}
	for _, m := range modules {
		versions[m.path] = m.version
	}
	for _, s := range sources {
		path := filepath.Join(b.to, s.language+".wasm.gz")
		wasm, err := unpack(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		packed, err := os.Stat(path)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(wasm)
		text, err := b.read(s.module, "LICENSE*")
		if err != nil {
			return err
		}
		notices.add(s.module+" "+versions[s.module], text)
		from, licence := "`"+s.module+"` "+versions[s.module], "MIT"
		if s.upstream != "" {
			from += ", of " + s.upstream
			if text, err = licences.ReadFile("licences/" + s.language); err != nil {
				return err
			}
			notices.add(s.upstream, text)
		}
		if bytes.Contains(text, []byte("Apache License")) {
			licence = "Apache-2.0"
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %d | %d | `%s` |\n", s.language, from, licence, len(wasm), packed.Size(), hex.EncodeToString(sum[:]))
	}
	if err := os.WriteFile(filepath.Join(b.to, "LICENSES"), []byte(notices.text.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.to, "README.md"), []byte(table.String()), 0o644)
}

// notices is the text of LICENSES: under a line of signs, what something is, and its licence.
type notices struct {
	text strings.Builder
	seen []string
}

// add adds the licence of something, once.
func (n *notices) add(of string, texts ...[]byte) {
	if slices.Contains(n.seen, of) {
		return
	}
	n.seen = append(n.seen, of)
	fmt.Fprintf(&n.text, "%s\n%s\n\n%s\n\n", strings.Repeat("=", 80), of, bytes.TrimSpace(bytes.Join(texts, []byte("\n\n"))))
}

// shared are the notices of what all modules have in them: the runtime with what it uses of
// ICU, which the binding copied, and the C library that comes with the compiler.
func (b *builder) shared() (*notices, error) {
	runtime, err := licences.ReadFile("licences/tree-sitter")
	if err != nil {
		return nil, err
	}
	icu, err := b.read(binding, "src/unicode/LICENSE")
	if err != nil {
		return nil, err
	}
	var library [][]byte
	for _, file := range []string{
		"LICENSE", "lib/libc/wasi/LICENSE", "lib/libc/wasi/LICENSE-MIT",
		"lib/libc/wasi/libc-bottom-half/cloudlibc/LICENSE", "lib/libc/wasi/libc-top-half/musl/COPYRIGHT",
	} {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(b.zig), filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		library = append(library, text)
	}
	n := &notices{}
	n.add(treeSitter, runtime, icu)
	n.add("zig "+zigVersion, library...)
	return n, nil
}

// read is the one file of a module whose path matches a pattern.
func (b *builder) read(module, pattern string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(b.folders[module], filepath.FromSlash(pattern)))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("%s has %d files '%s'", module, len(files), pattern)
	}
	return os.ReadFile(files[0])
}

const head = `# The embedded grammars

Each module is tree-sitter's runtime (` + "`" + binding + "`" + `), one grammar, and
` + "`walker.c`" + ` of ` + "`cmd/internal/lab/grammars`" + `, compiled to WebAssembly by zig ` + zigVersion + ` with its C
library. ` + "`make grammars`" + ` makes them again, byte for byte, and writes this table. Licences of all
are in ` + "`LICENSES`" + `; the checksum is that of the module before it is packed.

| language | grammar | licence | bytes | packed | SHA-256 |
| --- | --- | --- | --- | --- | --- |
`
