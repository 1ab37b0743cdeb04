package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// coreFile lists the files of the user's own that matter most: a mapping of paths to
// what is to be known of each.
const coreFile = "core.yaml"

// A CoreFile is a file that whoever begins to work should know of.
type CoreFile struct {
	Path     string // relative to the repository's root
	Summary  string
	Added    time.Time
	Conflict bool // a merge left several summaries; this is the first
}

// CoreFiles lists the core files, by path.
func (s *Store) CoreFiles(ctx context.Context) ([]CoreFile, error) {
	at := s.knowledge()
	if err := s.mayRead(at); err != nil {
		return nil, err
	}
	n, _, err := s.coreAt(at)
	err = cmp.Or(err, ctx.Err())
	if err != nil {
		return nil, fmt.Errorf("list core files: %w", err)
	}
	var out []CoreFile
	for i := 0; i+1 < len(n.Content); i += 2 {
		out = append(out, coreOf(n.Content[i].Value, n.Content[i+1]))
	}
	slices.SortFunc(out, func(a, b CoreFile) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// coreAt reads the list at a commit or ref; where there is none it is empty.
func (s *Store) coreAt(at string) (*yaml.Node, []byte, error) {
	var o git.Object
	if at != "" {
		var err error
		if o, err = s.fileAt(at, coreFile); err != nil && !errors.Is(err, git.ErrMissing) {
			return nil, nil, fmt.Errorf("read '%s': %w", coreFile, err)
		}
	}
	n, err := readCore(o.Data)
	return n, o.Data, err
}

// coreCure is what brings a list to an end that nobody can read.
const coreCure = "git sage purge --path " + coreFile

func readCore(b []byte) (*yaml.Node, error) {
	if err := coreBound.check(coreFile, len(b)); err != nil {
		return nil, fmt.Errorf("%w; '%s' takes it away", err, coreCure)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, fmt.Errorf("read '%s': %w", coreFile, err)
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, nil
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("read '%s': want a mapping of paths", coreFile)
	}
	if n := len(doc.Content[0].Content) / 2; n > maxListed {
		return nil, fmt.Errorf("'%s' lists %d files: it %w, %d at most; '%s' takes it away", coreFile, n, errBeyond, maxListed, coreCure)
	}
	doc.Content[0].Style = 0 // not in one line
	return doc.Content[0], nil
}

// coreOf reads what is known of a file: a mapping, or the summary alone. What a merge
// left of several is read as the first.
func coreOf(file string, n *yaml.Node) CoreFile {
	c := CoreFile{Path: file}
	if v := yamlValue(n, "variants"); v != nil && len(v.Content) > 0 {
		n, c.Conflict = v.Content[0], true
	}
	if n.Kind == yaml.ScalarNode {
		c.Summary = n.Value
		return c
	}
	if v := yamlValue(n, "summary"); v != nil {
		if several := yamlValue(v, "variants"); several != nil && len(several.Content) > 0 {
			v, c.Conflict = several.Content[0], true
		}
		c.Summary = v.Value
	}
	if v := yamlValue(n, "added"); v != nil {
		c.Added, _ = time.Parse(time.RFC3339, v.Value)
	}
	return c
}

func yamlValue(n *yaml.Node, key string) *yaml.Node {
	if i := yamlKey(n, key); i >= 0 {
		return n.Content[i+1]
	}
	return nil
}

func yamlKey(n *yaml.Node, key string) int {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

func setYAML(n *yaml.Node, key string, v *yaml.Node) {
	if i := yamlKey(n, key); i >= 0 {
		n.Content[i+1] = v
		return
	}
	n.Content = append(n.Content, yamlText(key), v)
}

func yamlText(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// MarkCore makes a file a core file, or gives one that is another summary.
func (s *Store) MarkCore(ctx context.Context, file, summary string) error {
	file, err := corePath(file)
	if err != nil {
		return err
	}
	summary, _, err = s.o.Redact.Text(sage.OneLine(summary))
	if err != nil {
		return fmt.Errorf("look for secrets: %w: nothing was saved", err)
	}
	return s.changeCore(ctx, "mark core file "+file, func(n *yaml.Node) error {
		of := yamlValue(n, file)
		if of == nil || of.Kind != yaml.MappingNode || yamlKey(of, "variants") >= 0 {
			of = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			setYAML(n, file, of)
		}
		of.Style = 0
		setYAML(of, "summary", yamlText(summary))
		if yamlKey(of, "added") < 0 {
			setYAML(of, "added", yamlText(s.o.Now().UTC().Format(time.RFC3339)))
		}
		return nil
	})
}

// UnmarkCore takes a file off the list. ErrNotFound says that it is not on it.
func (s *Store) UnmarkCore(ctx context.Context, file string) error {
	file, err := corePath(file)
	if err != nil {
		return err
	}
	return s.changeCore(ctx, "unmark core file "+file, func(n *yaml.Node) error {
		i := yamlKey(n, file)
		if i < 0 {
			return &NoItemError{ID: file, Kind: "core file"}
		}
		n.Content = slices.Delete(n.Content, i, i+2)
		return nil
	})
}

const maxCorePath = 500

func corePath(file string) (string, error) {
	clean := path.Clean(strings.ReplaceAll(file, `\`, "/"))
	if file == "" || clean == "." || len(clean) > maxCorePath || clean == ".." || strings.HasPrefix(clean, "../") || path.IsAbs(clean) || clean != sage.OneLine(clean) || len(clean) > 1 && clean[1] == ':' {
		return "", fmt.Errorf("%w '%s': want a path below the repository's root", ErrName, sage.OneLine(file))
	}
	return clean, nil
}

func (s *Store) changeCore(ctx context.Context, subject string, change func(*yaml.Node) error) error {
	_, err := s.writePlan(ctx, func(tip string) (treeChange, error) {
		n, old, err := s.coreAt(tip)
		if err == nil {
			err = change(n)
		}
		if err != nil {
			return treeChange{}, err
		}
		if len(n.Content)/2 > maxListed {
			return treeChange{}, fmt.Errorf("'%s' lists %d files already, which is as many as are read", coreFile, maxListed)
		}
		b, err := coreText(n)
		if bytes.Equal(b, old) {
			return treeChange{}, err
		}
		return treeChange{subject: subject, files: map[string][]byte{coreFile: b}}, err
	}, also{})
	return err
}

// coreText prints the list; an empty one is no file.
func coreText(n *yaml.Node) ([]byte, error) {
	if len(n.Content) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	err := e.Close()
	return b.Bytes(), err
}
