package parse

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex/parse/internal/patterns"
)

// Detect names the language of a file by its name, or else by the interpreter that its
// first line names; "" for one that Parse cannot read. Of the file it needs the first
// kilobytes, to tell headers of C++ from those of C.
func Detect(name string, head []byte) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	if l := byName(base); l != "" {
		return l
	}
	if l := patterns.Detect(base, head); l != "" {
		return l
	}
	if ext := strings.ToLower(path.Ext(base)); ext == ".h" && isCPlusPlus(head) {
		return "cpp"
	} else if ext != "" {
		return byExtension(ext[1:])
	}
	return byInterpreter(head)
}

// otherNames are what people call languages, beside the endings of their files.
var otherNames = map[string]string{"golang": "go", "shell": "bash", "c#": "csharp", "f#": "fsharp", "objective-c": "objc", "terraform": "hcl"}

// Named is the language that somebody calls so, also in capitals or by the ending of its files;
// the word itself if there is none.
func Named(word string) string {
	name := strings.ToLower(strings.TrimSpace(word))
	if slices.Contains(Languages(), name) {
		return name
	}
	return cmp.Or(otherNames[name], Detect("."+name, nil), word)
}

// isCPlusPlus reports whether the beginning of a header has what C lacks.
func isCPlusPlus(head []byte) bool {
	for _, s := range []string{"\nclass ", "\nnamespace ", "\ntemplate", "std::", "public:", "\nusing "} {
		if bytes.Contains(head, []byte(s)) {
			return true
		}
	}
	return false
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
	case "c", "cpp", "css", "cue", "dockerfile", "elm", "go", "groovy", "hcl", "html", "java", "lua",
		"php", "scala", "sql", "svelte", "swift", "toml", "tsx", "yaml":
		return ext
	case "proto":
		return "protobuf"
	case "py", "pyi", "pyw", "bzl", "bazel", "star":
		return "python"
	case "js", "mjs", "cjs", "jsx", "es6":
		return "javascript"
	case "ts", "mts", "cts":
		return "typescript"
	case "h":
		return "c"
	case "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl", "cu", "cuh", "ino":
		return "cpp"
	case "rs":
		return "rust"
	case "cs", "csx":
		return "csharp"
	case "rb", "rake", "gemspec", "podspec", "ru":
		return "ruby"
	case "phtml", "php3", "php4", "php5", "php7":
		return "php"
	case "kt", "kts":
		return "kotlin"
	case "sc", "sbt":
		return "scala"
	case "sh", "bash", "zsh", "ksh", "bats", "ebuild":
		return "bash"
	case "ex", "exs":
		return "elixir"
	case "ml":
		return "ocaml"
	case "gradle", "gvy", "groovysh":
		return "groovy"
	case "ddl", "dml", "pgsql", "mysql":
		return "sql"
	case "htm", "xhtml":
		return "html"
	case "tf", "tfvars", "nomad":
		return "hcl"
	case "yml":
		return "yaml"
	case "md", "markdown", "mdx":
		return "markdown"
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
		case "sh", "bash", "dash", "ash", "ksh", "zsh":
			return "bash"
		case "node", "nodejs", "bun":
			return "javascript"
		case "deno", "ts-node", "tsx":
			return "typescript"
		case "ruby", "php", "lua", "groovy", "elixir", "scala":
			return strings.TrimRight(w, "0123456789.")
		case "luajit":
			return "lua"
		case "kotlin", "swift", "ocaml":
			return w
		}
		return patterns.Interpreter(strings.TrimRight(w, "0123456789."))
	}
	return ""
}
