package view

import (
	"path"
	"strings"
)

// Vendored reports whether a path is, by its name, of what others wrote or a program made.
func Vendored(file string) bool {
	dir, base := path.Split(file)
	return vendoredFolder(dir) || vendoredName(base)
}

func vendoredFolder(dir string) bool {
	for d := range strings.SplitSeq(dir, "/") {
		switch strings.ToLower(d) {
		case "vendor", "node_modules", "third_party", "third-party", "bower_components", "__pycache__", "site-packages",
			".venv", ".git", ".sage", ".idea", "dist-packages", "pods", "carthage", ".yarn", ".gradle":
			return true
		}
	}
	return false
}

func vendoredName(base string) bool {
	base = strings.ToLower(base)
	switch path.Ext(base) {
	case ".map", ".snap", ".svg", ".csv", ".tsv", ".jsonl", ".ipynb", ".lock", ".sum", ".patch", ".diff", ".po", ".pot":
		return true
	case ".json":
		return base == "package-lock.json" || base == "npm-shrinkwrap.json"
	case ".yaml":
		return base == "pnpm-lock.yaml"
	case ".js", ".css":
		return strings.HasSuffix(base, ".min.js") || strings.HasSuffix(base, ".min.css")
	case ".go":
		return strings.HasSuffix(base, ".pb.go")
	case ".py":
		return strings.HasSuffix(base, "_pb2.py") || strings.HasSuffix(base, "_pb2_grpc.py")
	case ".cc", ".h":
		return strings.HasSuffix(base, ".pb.cc") || strings.HasSuffix(base, ".pb.h")
	case ".cs":
		return strings.HasSuffix(base, ".designer.cs")
	}
	return false
}
