package main

// A source is where the C sources of a grammar come from: a folder in a Go module, whose
// sum is that of go.sum.
type source struct {
	language string
	module   string
	folder   string
	function string // tree_sitter_<function>; the language unless it is given
	upstream string // of what a module bundles: the repository and commit; its licence is in licences
	fixes    []fix
}

// A fix replaces what WebAssembly does not allow in a scanner.
type fix struct{ from, to string }

// A module is pinned by version and sum.
type module struct{ path, version, sum string }

const (
	official = "github.com/tree-sitter/tree-sitter-"
	grammars = "github.com/tree-sitter-grammars/tree-sitter-"
	smacker  = "github.com/smacker/go-tree-sitter"
	binding  = "github.com/tree-sitter/go-tree-sitter" // with the runtime:

	treeSitter = "github.com/tree-sitter/tree-sitter v0.25.0"
)

var modules = []module{
	{binding, "v0.25.0", "h1:sx6kcg8raRFCvc9BnXglke6axya12krCJF5xJ2sftRU="},
	{smacker, "v0.0.0-20240827094217-dd81d9e9be82", "h1:6C8qej6f1bStuePVkLSFxoU22XBS165D3klxlzRg8F4="},
	{official + "bash", "v0.25.0", "h1:ghfv/gVgi2wF6Yv5hTpvjKm5H25/6J9IhNvgi0iYhcs="},
	{official + "c", "v0.24.1", "h1:GV9DjvIV6uYe3W/JBKMFwE4hJcRxzRDq63llxNFHOkY="},
	{official + "c-sharp", "v0.23.1", "h1:ddG6osP34sMieVNN6lu5ZG/3N8Wn+67+43BmipqidyM="},
	{official + "cpp", "v0.23.4", "h1:LaWZsiqQKvR65yHgKmnaqA+uz6tlDJTJFCyFIeZU/8w="},
	{official + "css", "v0.25.0", "h1:S5NbzhdZ5LE5V474wmdg+7NthmLjIg5v4wbyewMpziw="},
	{"github.com/elixir-lang/tree-sitter-elixir", "v0.3.4", "h1:M0Wc3XXEJyGpVELOzxqhV069bBsRAQyGdehWw/G+nWk="},
	{official + "html", "v0.23.2", "h1:1UYDV+Yd05GGRhVnTcbP58GkKLSHHZwVaN+lBZV11Lc="},
	{official + "java", "v0.23.5", "h1:J9YeMGMwXYlKSP3K4Us8CitC6hjtMjqpeOf2GGo6tig="},
	{official + "javascript", "v0.25.0", "h1:ZkWETb66/w8cc13yhfnNuHOLDQWl3BnKlH6f9AdR88c="},
	{grammars + "kotlin", "v1.1.0", "h1:SWIUDASa+WPhDDem1U5IJpYwQEezkqXrUI61OcnORzM="},
	{grammars + "lua", "v0.3.0", "h1:EsPKckt1PBbdjSKQgnqSLnSdT5NRYhCJUWRjHGy8Jc4="},
	{official + "ocaml", "v0.24.2", "h1:8tK5RFs0WjO1LvdW+qA6N7oYmLvanaDmPU3Ww7hPq+8="},
	{official + "php", "v0.24.2", "h1:yy+COnaaHUNDTKODfNbHhVRD4mQpFELTnBK9+EhpO+w="},
	{official + "python", "v0.25.0", "h1:O6XD9v8U1LOcRc3cNj9nM7XufrtEBezE6VrpRrHZDf0="},
	{official + "ruby", "v0.23.1", "h1:T/NKHUA+iVbHM440hFx+lzVOzS4dV6z8Qw8ai+72bYo="},
	{official + "rust", "v0.24.0", "h1:nr3ga5ThXyPR5n/DiMq4Zh3e8pMR+sfzk088QE809+g="},
	{official + "scala", "v0.24.0", "h1:F8UcZQdNQSkOGtkW8tUsFrqifOVXzmzJ19/JSbB+X3E="},
	{grammars + "svelte", "v1.0.2", "h1:7rAjefEANjwuheEmbxnFAQh6aB0OQtNb8KhfY+hNEGo="},
	{grammars + "toml", "v0.7.0", "h1:VQOyz+wSHzNZJ7gUMHAWVEP4Xt/YBZkeL7iurBv/9xc="},
	{official + "typescript", "v0.23.2", "h1:/Odvphn18PniVixb9e97X0DbNVsU6Qocv9mfkyzdXwU="},
	{grammars + "yaml", "v0.7.0", "h1:bfSjXf9nNPbZH09as6k9+/fbMPyQEHD9IJXzGMdQc0o="},
}

// sources are the grammars, each from its own module where the proxy has one: those are
// of 2025, and know syntax at which smacker's of 2024 fail.
var sources = []source{
	{language: "bash", module: official + "bash", folder: "src"},
	{language: "c", module: official + "c", folder: "src"},
	{language: "cpp", module: official + "cpp", folder: "src"},
	{language: "csharp", module: official + "c-sharp", folder: "src", function: "c_sharp"},
	{language: "css", module: official + "css", folder: "src"},
	{language: "cue", module: smacker, folder: "cue", upstream: "github.com/eonpatapon/tree-sitter-cue 8a5f273bfa281c66354da562f2307c2d394b6c81"},
	{language: "dockerfile", module: smacker, folder: "dockerfile", upstream: "github.com/camdencheek/tree-sitter-dockerfile 868e44ce378deb68aac902a9db68ff82d2299dd0"},
	{language: "elixir", module: "github.com/elixir-lang/tree-sitter-elixir", folder: "src"},
	{language: "elm", module: smacker, folder: "elm", upstream: "github.com/elm-tooling/tree-sitter-elm c26afd7f2316f689410a1622f1780eff054994b1"},
	{language: "groovy", module: smacker, folder: "groovy", upstream: "github.com/murtaza64/tree-sitter-groovy 171b3b7412bc93284fc0dad0a7a7bbbbd1b51289"},
	{language: "hcl", module: smacker, folder: "hcl", upstream: "github.com/tree-sitter-grammars/tree-sitter-hcl 9e3ec9848f28d26845ba300fd73c740459b83e9b"},
	{language: "html", module: official + "html", folder: "src"},
	{language: "java", module: official + "java", folder: "src"},
	{language: "javascript", module: official + "javascript", folder: "src"},
	{language: "kotlin", module: grammars + "kotlin", folder: "src"},
	{language: "lua", module: grammars + "lua", folder: "src"},
	{language: "ocaml", module: official + "ocaml", folder: "grammars/ocaml/src"},
	{language: "php", module: official + "php", folder: "php/src"},
	{language: "protobuf", module: smacker, folder: "protobuf", function: "proto", upstream: "github.com/mitchellh/tree-sitter-proto 42d82fa18f8afe59b5fc0b16c207ee4f84cb185f"},
	{language: "python", module: official + "python", folder: "src"},
	{language: "ruby", module: official + "ruby", folder: "src"},
	{language: "rust", module: official + "rust", folder: "src"},
	{language: "scala", module: official + "scala", folder: "src"},
	{language: "sql", module: smacker, folder: "sql", upstream: "github.com/DerekStride/tree-sitter-sql c67ecbd37d8d12f22e4cc7138afd14bc20253e10", fixes: []fix{
		// a function is called by the type that it has
		{"void *tree_sitter_sql_external_scanner_destroy(", "void tree_sitter_sql_external_scanner_destroy("},
		{"  free(payload);\n  return NULL;\n", "  free(payload);\n"},
	}},
	{language: "svelte", module: grammars + "svelte", folder: "src"},
	{language: "swift", module: smacker, folder: "swift", upstream: "github.com/alex-pinkus/tree-sitter-swift 57c1c6d6ffa1c44b330182d41717e6fe37430704"},
	{language: "toml", module: grammars + "toml", folder: "src"},
	{language: "tsx", module: official + "typescript", folder: "tsx/src"},
	{language: "typescript", module: official + "typescript", folder: "typescript/src"},
	{language: "yaml", module: grammars + "yaml", folder: "src"},
}
