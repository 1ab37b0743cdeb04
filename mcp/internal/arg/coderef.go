package arg

import "github.com/git-sage/git-sage/gitstore/sage"

// CodeRefKeys are the keys of a reference to code, of a checkpoint or an item.
func CodeRefKeys() []Param {
	return []Param{
		{Name: "file", Kind: Text, Required: true},
		{Name: "lines", Kind: Lines, Doc: "10-20"},
		{Name: "symbol", Kind: Text},
		{Name: "snippet", Kind: Text},
		{Name: "relevance", Kind: Text, Words: sage.Words("code_refs.relevance")},
	}
}
