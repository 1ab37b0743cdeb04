package view

import (
	"path"
	"strings"
)

// Vendored reports whether a path is, by its name, of what others wrote or a program made.
func Vendored(file string) bool {
	dir, base := path.Split(file)
	for d := range strings.SplitSeq(dir, "/") {
		switch strings.ToLower(d) {
		case "vendor", "node_modules", "third_party", "third-party", "bower_components", "__pycache__", "site-packages",
			".venv", ".git", ".sage", ".idea", "dist-packages", "pods", "carthage", ".yarn", ".gradle":
			return true
		}
	}
	switch base = strings.ToLower(base); base {
	case "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "go.sum", "cargo.lock", "poetry.lock",
		"composer.lock", "gemfile.lock", "pipfile.lock", "uv.lock", "flake.lock":
		return true
	}
	for _, end := range []string{
		".min.js", ".min.css", ".map", ".pb.go", "_pb2.py", "_pb2_grpc.py", ".pb.cc", ".pb.h", ".designer.cs", ".snap",
		".svg", ".csv", ".tsv", ".jsonl", ".ipynb", ".lock", ".sum", ".patch", ".diff", ".po", ".pot",
	} {
		if strings.HasSuffix(base, end) {
			return true
		}
	}
	return false
}
