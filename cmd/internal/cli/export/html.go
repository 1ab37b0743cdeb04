package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/recall/provenance"
)

// htmlTemplate is parsed when the first page is written, so that other
// commands do not pay for it. html/template escapes everything by its place.
var htmlTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"percent": term.Percent, "text": dataText, "sign": relationSign, "join": strings.Join,
	}).Parse(htmlSource))
})

// relationSign marks a source as briefs do.
func relationSign(relation string) string {
	switch relation {
	case "supports":
		return "[+]"
	case "contradicts":
		return "[-]"
	case "nuances":
		return "[~]"
	}
	return "[ ]"
}

// dataText is a value of domain data or of a template's fields.
func dataText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func renderHTML(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := htmlTemplate().ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

// html is the page as one file that needs no other. A linked one has an index
// beside it.
func (p *page) html(linked bool) ([]byte, error) {
	return renderHTML("page", map[string]any{
		"C": p.c, "Title": p.title, "Time": p.c.Time.UTC().Format("2006-01-02 15:04:05 UTC"),
		"Parents": p.parents, "Children": p.children, "Linked": linked, "Text": p.text, "Mark": provenance.Unconfirmed(""),
	})
}

// Name and Title are for the template.
func (p *page) Name() string  { return p.name }
func (p *page) Title() string { return p.title }

// When is the time of the page as a list shows it.
func (p *page) When() string { return p.c.Time.UTC().Format("2006-01-02 15:04") }

// Thesis is what the page holds.
func (p *page) Thesis() string { return p.c.Thesis }

// indexHTML lists the pages, newest first.
func indexHTML(list []*page) ([]byte, error) {
	newest := slices.Clone(list)
	slices.Reverse(newest)
	return renderHTML("index", newest)
}

const htmlSource = `
{{- define "head" -}}
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="git-sage">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{.}}</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
h1 { line-height: 1.2 } h2 { margin: 1.5em 0 .3em; font-size: 1.1em }
p, li, dd { white-space: pre-wrap; overflow-wrap: anywhere }
.meta, dt { color: #666; font-size: .9em } code, pre { font-size: .9em }
pre { white-space: pre-wrap; background: #f5f5f5; padding: .5em }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b } a { color: #8bf } pre { background: #262626 } }
</style>
</head>
{{- end -}}

{{- define "data" }}{{range $k, $v := .}}
<dt>{{$k}}</dt><dd><pre dir="auto">{{text $v}}</pre></dd>{{end}}{{end -}}

{{- define "page" -}}
{{template "head" .Title}}
<body>
{{if .Linked}}<p class="meta"><a href="index.html">All checkpoints</a></p>
{{end}}{{with .C -}}
<h1 dir="auto">{{or .CoreQuestion $.Title}}</h1>
<p class="meta">{{$.Time}} · {{.Author}}{{if .Elsewhere}}, {{$.Mark}}{{end}} · {{.Trigger.Name}} · <code>{{.ID}}</code>{{with .Skill}} · {{.}}{{end}}{{with .Project}} · {{.}}{{end}}{{with .Template}} · {{.}}{{end}}</p>
{{if $.Text}}<pre dir="auto">{{$.Text}}</pre>
{{else}}{{if .Thesis}}<h2>Thesis{{with .Confidence}} ({{percent .}}){{end}}</h2>
<p dir="auto">{{.Thesis}}</p>{{end}}
{{with .ComponentTheses}}<h2>Component theses</h2>
<ul>{{range .}}<li dir="auto"><code>{{.From}}</code>: {{.Thesis}}</li>
{{end}}</ul>{{end}}
{{with .KeyEvidence}}<h2>Key evidence</h2>
<ul>{{range .}}<li dir="auto">{{.}}</li>
{{end}}</ul>{{end}}
{{with .ReasoningTrace}}<h2>Reasoning</h2>
<p dir="auto">{{.}}</p>{{end}}
{{with .OpenQuestions}}<h2>Open questions</h2>
<ul>{{range .}}<li dir="auto">{{.}}</li>
{{end}}</ul>{{end}}
{{with .Sources}}<h2>Sources</h2>
<ul>{{range .}}<li dir="auto">{{sign .Relation}} <b>{{.ID}}</b> ({{.Type}}{{with .Identifier}}, {{.}}{{end}}{{with .Credibility}}, {{.}}{{end}}): {{.Take}}</li>
{{end}}</ul>{{end}}
{{with .Tensions}}<h2>Tensions</h2>
<ul>{{range .}}<li dir="auto"><b>{{join .Between " vs "}}</b>: {{.Nature}} [{{.Resolution}}]</li>
{{end}}</ul>{{end}}
{{with .UniqueContributions}}<h2>Unique contributions</h2>
<ul>{{range .}}<li dir="auto"><b>{{.Type}}</b>: {{.Content}}</li>
{{end}}</ul>{{end}}
{{with .Action}}{{if .Goal}}<h2>Goal</h2>
<p dir="auto">{{.Goal}}{{with .Type}} ({{.}}){{end}}{{with .Deadline}}, due {{.}}{{end}}{{with .Stakeholders}}, for {{join . ", "}}{{end}}</p>{{end}}{{end}}
{{with .Fields}}<h2>Fields</h2>
<dl>{{template "data" .}}</dl>{{end}}
{{with .DomainData}}<h2>Domain{{with $.C.Domain}}: {{.}}{{end}}</h2>
<dl>{{template "data" .}}</dl>{{end}}
{{with .CodeRefs}}<h2>Code</h2>
<ul>{{range .}}<li><code>{{.File}}{{if index .Lines 0}}:{{index .Lines 0}}-{{index .Lines 1}}{{end}}</code>{{with .Symbol}} {{.}}{{end}}{{with .Relevance}} ({{.}}){{end}}{{with .Snippet}}<pre>{{.}}</pre>{{end}}</li>
{{end}}</ul>{{end}}
{{with .FilesExplored}}<h2>Files explored</h2>
<ul>{{range .}}<li><code>{{.}}</code></li>
{{end}}</ul>{{end}}
{{with .FilesChanged}}<h2>Files changed</h2>
<ul>{{range .}}<li><code>{{.}}</code></li>
{{end}}</ul>{{end}}
{{end}}{{end -}}
{{if or .Parents .Children}}<h2>Lineage</h2>
<ul>{{range .Parents}}<li>continues {{if .Page}}<a href="{{.Page.Name}}.html">{{.Page.Title}}</a>{{else}}<code>{{.ID}}</code>{{end}}</li>
{{end}}{{range .Children}}<li>continued by <a href="{{.Name}}.html">{{.Title}}</a></li>
{{end}}</ul>{{end}}
</body>
</html>
{{end -}}

{{- define "index" -}}
{{template "head" "Checkpoints"}}
<body>
<h1>Checkpoints</h1>
<ul>{{range .}}<li dir="auto"><a href="{{.Name}}.html">{{.Title}}</a> <span class="meta">{{.When}}</span>{{with .Thesis}}<br>{{.}}{{end}}</li>
{{end}}</ul>
</body>
</html>
{{end -}}
`
