// Command systems type-checks every package of both modules, and its tests, as other
// systems see them (`make systems`):
//
//	systems <os>/<architecture>...
//
// What is imported is checked from its source, without the bodies of its functions, so
// that nothing has to be compiled for a system to say what does not fit there. It runs in
// the root of the repository and fails if a package has an error. What only an assembler
// or a linker sees is for a build.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// modules are the folders whose packages are checked.
var modules = []string{".", "cmd/internal/lab"}

func main() {
	systems := os.Args[1:]
	src := newSource()
	wrong := make([][]string, len(systems))
	var wg sync.WaitGroup
	for i, system := range systems {
		wg.Go(func() { wrong[i] = src.check(system, modules) })
	}
	wg.Wait()
	failed := false
	for i, system := range systems {
		fmt.Println("types", system)
		for _, w := range wrong[i] {
			failed = true
			fmt.Println(w)
		}
	}
	if failed {
		os.Exit(1)
	}
}

// A pkg is what go list says of a package, or of its variant for a test.
type pkg struct {
	ImportPath, Dir string
	GoFiles, SFiles []string
	ImportMap       map[string]string // an import path as written, to the package it means
	Module          *struct{ GoVersion string }
	DepOnly         bool
}

// check returns what is wrong with the packages of modules on a system, which is written
// <os>/<architecture>.
func (src *source) check(system string, modules []string) (wrong []string) {
	goos, arch, _ := strings.Cut(system, "/")
	if types.SizesFor("gc", arch) == nil {
		return append(wrong, "no such system: "+system)
	}
	done := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, dir := range modules {
		list, err := packages(dir, goos, arch)
		if err != nil {
			return append(wrong, fmt.Sprintf("go list in %s: %v", dir, err))
		}
		for _, p := range list {
			if done[p.ImportPath] != nil || strings.HasSuffix(p.ImportPath, ".test") {
				continue
			}
			checked, errs := src.types(p, done, arch)
			done[p.ImportPath] = checked
			for _, err := range errs {
				if !slices.Contains(wrong, err.Error()) { // the variant for a test says it again
					wrong = append(wrong, err.Error())
				}
			}
		}
	}
	return wrong
}

// packages lists those of a module, their tests and all that they import, each after what
// it imports itself.
func packages(dir, goos, arch string) ([]*pkg, error) {
	cmd := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,SFiles,ImportMap,Module,DepOnly", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var list []*pkg
	for dec := json.NewDecoder(out); ; {
		p := new(pkg)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, errors.Join(err, cmd.Wait())
		}
		list = append(list, p)
	}
	return list, cmd.Wait()
}

// types checks a package whose imports are done. What others wrote is assumed to fit.
func (src *source) types(p *pkg, done map[string]*types.Package, arch string) (*types.Package, []error) {
	var errs []error
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := src.parse(filepath.Join(p.Dir, name), p.DepOnly)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		files = append(files, f)
		if len(p.SFiles) == 0 && !p.DepOnly {
			errs = append(errs, src.bodiless(f)...)
		}
	}
	conf := types.Config{
		IgnoreFuncBodies: p.DepOnly,
		Sizes:            types.SizesFor("gc", arch),
		Importer: importer(func(path string) (*types.Package, error) {
			if to := p.ImportMap[path]; to != "" {
				path = to
			}
			if done[path] == nil {
				return nil, fmt.Errorf("%s imports %s, which go list does not name", p.ImportPath, path)
			}
			return done[path], nil
		}),
		Error: func(err error) { errs = append(errs, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	checked, _ := conf.Check(path, src.fset, files, nil)
	if p.DepOnly {
		errs = nil
	}
	return checked, errs
}

type importer func(string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// A source holds files that were parsed, for all systems.
type source struct {
	fset  *token.FileSet
	mu    sync.Mutex
	files map[string]*file
}

func newSource() *source {
	return &source{fset: token.NewFileSet(), files: map[string]*file{}}
}

type file struct {
	once sync.Once
	ast  *ast.File
	err  error
}

// parse returns a file, once parsed; without what its functions do, if outlined.
func (src *source) parse(name string, outlined bool) (*ast.File, error) {
	src.mu.Lock()
	f := src.files[name]
	if f == nil {
		f = new(file)
		src.files[name] = f
	}
	src.mu.Unlock()
	f.once.Do(func() {
		f.ast, f.err = parser.ParseFile(src.fset, name, nil, parser.SkipObjectResolution)
		if f.err != nil || !outlined {
			return
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				fn.Body.List = nil
			}
		}
	})
	return f.ast, f.err
}

// bodiless returns an error for each function of a package without assembly that has no
// body, where no directive says that another package has it.
func (src *source) bodiless(f *ast.File) []error {
	var errs []error
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil && fn.Doc == nil {
			errs = append(errs, fmt.Errorf("%s: %s has no body", src.fset.Position(fn.Pos()), fn.Name.Name))
		}
	}
	return errs
}
