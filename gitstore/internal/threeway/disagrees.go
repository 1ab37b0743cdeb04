package threeway

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/sage/versions"
)

// Disagrees reports whether a file holds versions that wait for a person, as Merge
// leaves them.
func Disagrees(path string, content []byte) bool {
	if n, ok := parse(content); ok && strings.HasSuffix(path, ".yaml") {
		return split(n)
	}
	if n, ok := splitNote(content); ok {
		return split(n.head) || get(n.head, deletedBy) != nil || len(versions.Split(n.body)) > 1
	}
	return len(versions.Split(string(content))) > 1
}

// split reports whether values stand beside one another somewhere in n.
func split(n *yaml.Node) bool { return isVariants(n) || slices.ContainsFunc(n.Content, split) }
