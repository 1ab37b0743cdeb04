// Page bundles the script and the style of the local page, cmd/internal/page/ui, into what
// the program has in it, cmd/internal/page/web: make page. Neither node nor npm is wanted.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	folder := "cmd/internal/page"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	files, err := bundle(folder)
	for name, data := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "web", name), data, 0o644)
		}
		fmt.Println(name, len(data), "bytes")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// banner names what else is in the script.
const banner = "/* Made of cmd/internal/page/ui by 'make page'. Contains Preact, MIT License: preact-license.txt */"

// bundle makes the files of web that have a source elsewhere, by name.
func bundle(folder string) (map[string][]byte, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	vendor := filepath.Join(abs, "ui", "vendor", "preact")
	r := api.Build(api.BuildOptions{
		AbsWorkingDir: abs, EntryPoints: []string{"ui/app.tsx", "ui/file.tsx", "ui/app.css"}, Outdir: "web", Bundle: true,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Format: api.FormatESModule, Target: api.ES2022,
		JSX: api.JSXTransform, JSXFactory: "h", JSXFragment: "Fragment", LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelWarning,
		Alias:  map[string]string{"preact": filepath.Join(vendor, "preact.mjs"), "preact/hooks": filepath.Join(vendor, "hooks.mjs")},
		Banner: map[string]string{"js": banner},
	})
	if len(r.Errors) > 0 {
		return nil, errors.New(r.Errors[0].Text)
	}
	license, err := os.ReadFile(filepath.Join(vendor, "LICENSE"))
	files := map[string][]byte{"preact-license.txt": license}
	for _, f := range r.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	return files, err
}
