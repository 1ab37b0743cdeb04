package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// render is the page as a file. A linked one has its relatives beside it.
func (p *page) render(format string, linked bool) ([]byte, error) {
	switch format {
	case "json":
		return checkpointJSON(p.c)
	case "html":
		return p.html(linked)
	}
	data := codec.Export(p.c)
	if p.text != "" {
		data = append(frontMatter(data), "\n"+p.text...)
	}
	if linked {
		data = append(data, p.lineage()...)
	}
	return data, nil
}

// frontMatter is the head of an exported checkpoint with both its fences. No
// value in it has a line of three dashes.
func frontMatter(data []byte) []byte {
	const fence = "\n---\n"
	return data[:bytes.Index(data, []byte(fence))+len(fence)]
}

// lineage are the links of a Markdown page to those before and after it. An
// ancestor that was not exported is only an id, so that every link resolves.
func (p *page) lineage() string {
	var b strings.Builder
	for _, l := range p.parents {
		if l.Page == nil {
			fmt.Fprintf(&b, "- continues `%s`\n", l.ID)
		} else {
			fmt.Fprintf(&b, "- continues %s\n", l.Page.wikiLink())
		}
	}
	for _, c := range p.children {
		fmt.Fprintf(&b, "- continued by %s\n", c.wikiLink())
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n" + codec.HeadLineage + "\n" + b.String()
}

// wikiLink is [[file|description]], less what would end the link.
func (p *page) wikiLink() string {
	title := strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]|#^", r) {
			return ' '
		}
		return r
	}, p.title)
	return "[[" + p.name + "|" + strings.TrimSpace(title) + "]]"
}

// checkpointJSON is the object that --json prints of a checkpoint, indented.
func checkpointJSON(c *sage.Checkpoint) ([]byte, error) {
	var b bytes.Buffer
	enc := term.NewEncoder(&b)
	enc.SetIndent("", "  ")
	err := enc.Encode(wire.CheckpointOf(c, nil))
	return b.Bytes(), err
}
