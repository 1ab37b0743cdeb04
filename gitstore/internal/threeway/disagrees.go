package threeway

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Disagrees reports whether a file holds versions that wait for a person, as Merge
// leaves them.
func Disagrees(path string, content []byte) bool {
	if n, ok := parse(content); ok && strings.HasSuffix(path, ".yaml") {
		return split(n)
	}
	if n, ok := splitNote(content); ok {
		return split(n.head) || get(n.head, deletedBy) != nil || len(sage.Versions(n.body)) > 1
	}
	return len(sage.Versions(string(content))) > 1
}

// split reports whether values stand beside one another somewhere in n.
func split(n *yaml.Node) bool { return isVariants(n) || slices.ContainsFunc(n.Content, split) }
