package parse

import (
	"bytes"
	"path"
	"strings"
)

// Detect names the language of a file by its name, or else by the interpreter that its
// first line names; "" for one that Parse cannot read. Only the first line of head is
// looked at, so that the beginning of the file is enough.
func Detect(name string, head []byte) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	if l := byName(base); l != "" {
		return l
	}
	if ext := path.Ext(base); ext != "" {
		return byExtension(strings.ToLower(ext[1:]))
	}
	return byInterpreter(head)
}

func byName(base string) string {
	switch base {
	case ".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv", "PKGBUILD", "APKBUILD":
		return "bash"
	case "Rakefile", "Gemfile", "Vagrantfile", "Guardfile", "Podfile", "Fastfile", "Brewfile":
		return "ruby"
	case "Jenkinsfile":
		return "groovy"
	case "Dockerfile", "Containerfile":
		return "dockerfile"
	case "SConstruct", "SConscript", "wscript", "BUILD", "WORKSPACE", "Tiltfile":
		return "python"
	case "Cargo.lock", "poetry.lock", "Pipfile", "uv.lock":
		return "toml"
	case ".clang-format", ".clang-tidy", ".clangd":
		return "yaml"
	}
	if strings.HasPrefix(base, "Dockerfile.") || strings.HasSuffix(base, ".Dockerfile") {
		return "dockerfile"
	}
	return ""
}

func byExtension(ext string) string {
	switch ext {
	case "go":
		return "go"
	case "py", "pyi", "pyw", "bzl", "bazel", "star":
		return "python"
	}
	return ""
}

func byInterpreter(head []byte) string {
	line, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		return ""
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	words := strings.Fields(string(line))
	for i, w := range words {
		w = path.Base(w)
		if w == "env" || (i > 0 && (strings.HasPrefix(w, "-") || strings.Contains(w, "="))) {
			continue
		}
		switch strings.TrimRight(w, "0123456789.") {
		case "python", "pypy":
			return "python"
		}
		return ""
	}
	return ""
}
