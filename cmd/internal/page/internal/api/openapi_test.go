package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/page/pagetest"
	"github.com/git-sage/git-sage/gitstore/sage"
)

var update = flag.Bool("update", false, "write openapi.json")

type object = map[string]any

// The file that is served and kept describes what there is.
func TestDescriptionIsOfTheEndpoints(t *testing.T) {
	want, err := json.MarshalIndent(describe(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(description, want) {
		t.Error("openapi.json is not what the endpoints are: go test -update writes it")
	}
}

var inPath = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// describe makes the description of the table of endpoints and of the types in it.
func describe() object {
	schemas, paths := object{}, object{}
	for _, e := range endpoints {
		params := []any{}
		for _, m := range inPath.FindAllStringSubmatch(e.path, -1) {
			params = append(params, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
		}
		for _, p := range e.params {
			name, many := strings.CutSuffix(p.name, "...")
			schema := object{"type": "string"}
			if many {
				schema = object{"type": "array", "items": schema}
			}
			params = append(params, object{"name": name, "in": "query", "description": p.doc, "schema": schema})
		}
		op := object{"summary": e.doc, "parameters": params, "responses": object{
			"200":     object{"description": "the answer", "content": content(schemas, e.result)},
			"default": object{"description": "what is wrong", "content": content(schemas, Error{})},
		}}
		if e.body != nil {
			op["requestBody"] = object{"required": true, "content": content(schemas, e.body)}
			op["parameters"] = append(params, object{"name": WriteHeader, "in": "header", "required": true, "description": "anything: no form of another page can send it", "schema": object{"type": "string"}})
		}
		path := inPath.ReplaceAllString(e.path, "{$1}")
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path].(object)[strings.ToLower(e.method)] = op
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "git sage ui", "version": "1",
			"description": "The memory of a repository, as the page that 'git sage ui' serves asks for it. The token is at the end of the address that the command prints. With " + shownHeader + " in a request, what cannot be seen in texts is written out.",
		},
		"servers":    []any{object{"url": "http://127.0.0.1"}},
		"security":   []any{object{"token": []any{}}},
		"paths":      paths,
		"components": object{"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}}, "schemas": schemas},
	}
}

func content(schemas object, v any) object {
	return object{"application/json": object{"schema": schemaOf(schemas, reflect.TypeOf(v))}}
}

// schemaOf is what JSON makes of a type. A struct with a name stands among schemas.
func schemaOf(schemas object, t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[error]():
		return object{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		s := schemaOf(schemas, t.Elem())
		return object{"anyOf": []any{s, object{"type": "null"}}}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Int32:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(schemas, t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": schemaOf(schemas, t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOf(schemas, t.Elem())}
	case reflect.Struct:
		return structOf(schemas, t)
	}
	return object{}
}

func structOf(schemas object, t reflect.Type) object {
	name := nameOf(t)
	ref := object{"$ref": "#/components/schemas/" + name}
	if _, there := schemas[name]; there && name != "" {
		return ref
	}
	s := object{"type": "object"}
	if name != "" {
		schemas[name] = s // which may be within itself
	}
	props, required := object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		tag, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || tag == "-" || f.Anonymous && tag == "" || shadowed(t, f) {
			continue
		}
		if tag == "" {
			tag = f.Name
		}
		props[tag] = schemaOf(schemas, f.Type)
		if !strings.Contains(opts, "omit") && !behindPointer(t, f) {
			required = append(required, tag)
		}
	}
	s["properties"] = props
	if slices.Sort(required); len(required) > 0 {
		s["required"] = required
	}
	if name == "" {
		return s
	}
	return ref
}

// shadowed reports whether a field nearer to the top has the name of one.
func shadowed(t reflect.Type, f reflect.StructField) bool {
	tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	for _, o := range reflect.VisibleFields(t) {
		other, _, _ := strings.Cut(o.Tag.Get("json"), ",")
		if tag != "" && other == tag && len(o.Index) < len(f.Index) {
			return true
		}
	}
	return false
}

// behindPointer reports whether a field is promoted from an embedded pointer, which may be nil.
func behindPointer(t reflect.Type, f reflect.StructField) bool {
	for i := 1; i < len(f.Index); i++ {
		if t.FieldByIndex(f.Index[:i]).Type.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// nameOf is a type's name, behind that of its package where several have it.
func nameOf(t reflect.Type) string {
	name := t.Name()
	if name == "" {
		return ""
	}
	pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	name, _, _ = strings.Cut(name, "[")
	if arg := t.Name(); strings.Contains(arg, "[") { // of a generic type, what it is of
		arg = strings.TrimSuffix(arg[strings.LastIndexAny(arg, "./[")+1:], "]")
		name += strings.Trim(arg, "*")
	}
	if pkg == "api" {
		return name
	}
	return pkg + "." + name
}

// Each answer is what the description says, of a memory with everything in it.
func TestAnswersAreAsDescribed(t *testing.T) {
	var d struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema object }
			}
		}
		Components struct{ Schemas map[string]object }
	}
	if err := json.Unmarshal(description, &d); err != nil {
		t.Fatal(err)
	}
	a := pagetest.New(t)
	sure := 0.7
	first := pagetest.Save(t, a, sage.Checkpoint{
		CoreQuestion: "Which cache?", Thesis: "ARC beats LRU.", Confidence: &sure, KeyEvidence: []string{"hit rate"}, OpenQuestions: []string{"memory?"},
		Sources: []sage.Source{{Identifier: "paper", Take: "ARC"}}, Tensions: []sage.Tension{{Between: []string{"paper", "blog"}, Nature: "numbers"}},
		UniqueContributions: []sage.Contribution{{Content: "a trace"}}, CodeRefs: []sage.CodeRef{{File: "cache.go", Lines: [2]int{1, 2}}},
	})
	second := pagetest.Save(t, a, sage.Checkpoint{Thesis: "2Q is simpler.", FilesChanged: []string{"cache.go"}})
	pagetest.Remember(t, a, &sage.Item{ID: "deploy-day", Content: "Deploys run on Tuesdays at 14:00.", Keywords: []string{"deploy"}, When: []string{"when do we ship?"}})
	pagetest.Remember(t, a, &sage.Item{ID: "deploy-weekday", Content: "Deploys run on Thursdays at 14:00."}, &sage.Item{ID: "todo", Type: sage.Todo, Content: "Measure it.", Status: sage.Pending, Links: []sage.Link{{Kind: sage.Related, To: "deploy-day"}}})
	pagetest.Session(t, a, "one", "claude-opus-5-5", 0, pagetest.Given("deploy-day", "Deploys run on Tuesdays at 14:00."), "As noted, deploys run on Tuesdays at 14:00.")
	c := newClient(t, a)
	var list Review
	c.get("/api/review", &list)
	tried := map[string]bool{}
	for _, tt := range []struct {
		method, path, address string
		body                  any
	}{
		{"GET", "/api/status", "/api/status", nil},
		{"GET", "/api/checkpoints", "/api/checkpoints?limit=5", nil},
		{"GET", "/api/checkpoints/{id}", "/api/checkpoints/" + first.ID, nil},
		{"GET", "/api/checkpoints/{a}/diff/{b}", "/api/checkpoints/" + first.ID + "/diff/" + second.ID, nil},
		{"GET", "/api/lines", "/api/lines", nil},
		{"GET", "/api/graph", "/api/graph", nil},
		{"GET", "/api/knowledge", "/api/knowledge", nil},
		{"GET", "/api/knowledge/recall", "/api/knowledge/recall?q=when+do+we+deploy", nil},
		{"GET", "/api/knowledge/{id...}", "/api/knowledge/todo", nil},
		{"GET", "/api/search", "/api/search?q=cache", nil},
		{"GET", "/api/activity", "/api/activity?since=20+years+ago", nil},
		{"GET", usagePath, usagePath + "?by=session", nil},
		{"GET", "/api/review", "/api/review", nil},
		{"POST", "/api/review/{id}", "/api/review/" + list.Waiting[0].Key, Judgement{Act: "supersede"}},
		{"PUT", "/api/knowledge/{id...}", "/api/knowledge/new", ItemEdit{Keywords: &[]string{"new"}, Content: &first.Line}},
		{"DELETE", "/api/knowledge/{id...}", "/api/knowledge/new", nil},
		{"POST", "/api/merge", "/api/merge", MergeRequest{Rev: first.ID}},
	} {
		if tt.method == "DELETE" {
			var it struct{ Blob string }
			c.get(tt.address, &it)
			tt.body = ItemRemoval{it.Blob}
		}
		var v any
		if w := c.do(tt.method, tt.address, tt.body, &v); w.Code != 200 {
			t.Errorf("%s %s: %d %s", tt.method, tt.address, w.Code, w.Body)
			continue
		}
		op := d.Paths[inPath.ReplaceAllString(tt.path, "{$1}")][strings.ToLower(tt.method)]
		for _, wrong := range check(d.Components.Schemas, op.Responses["200"].Content["application/json"].Schema, v, tt.path) {
			t.Errorf("%s: %s", tt.method, wrong)
		}
		tried[tt.method+" "+tt.path] = true
	}
	for _, e := range endpoints {
		if !tried[e.method+" "+e.path] {
			t.Errorf("%s %s is not tried", e.method, e.path)
		}
	}
	var e any
	c.do("GET", "/api/checkpoints/nosuch", nil, &e)
	for _, wrong := range check(d.Components.Schemas, d.Components.Schemas["Error"], e, "an error") {
		t.Error(wrong)
	}
}

// check says in what a value is not as a schema has it; what the schema does not name is wrong, too.
func check(schemas map[string]object, s object, v any, at string) (wrong []string) {
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/components/schemas/")
		if schemas[name] == nil {
			return []string{at + ": no schema " + name}
		}
		return check(schemas, schemas[name], v, at)
	}
	if any, ok := s["anyOf"].([]any); ok {
		for _, one := range any {
			if wrong = check(schemas, one.(object), v, at); len(wrong) == 0 {
				return nil
			}
		}
		return wrong
	}
	bad := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	switch s["type"] {
	case "object":
		o, ok := v.(object)
		if !ok {
			bad("%T is no object", v)
			return wrong
		}
		props, _ := s["properties"].(object)
		more, open := s["additionalProperties"].(object)
		required, _ := s["required"].([]any)
		for _, name := range required {
			if _, there := o[name.(string)]; !there {
				bad("%s is missing", name)
			}
		}
		for name, x := range o {
			if p, known := props[name].(object); known {
				wrong = append(wrong, check(schemas, p, x, at+"."+name)...)
			} else if open {
				wrong = append(wrong, check(schemas, more, x, at+"."+name)...)
			} else {
				bad("%s is not described", name)
			}
		}
	case "array":
		list, ok := v.([]any)
		if !ok {
			bad("%T is no array", v)
		}
		for i, x := range list {
			wrong = append(wrong, check(schemas, s["items"].(object), x, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case "string":
		if _, ok := v.(string); !ok {
			bad("%T is no string", v)
		}
	case "boolean":
		if _, ok := v.(bool); !ok {
			bad("%T is no boolean", v)
		}
	case "integer", "number":
		if n, ok := v.(float64); !ok || s["type"] == "integer" && n != float64(int64(n)) {
			bad("%v is no %s", v, s["type"])
		}
	case "null":
		if v != nil {
			bad("%v is not null", v)
		}
	}
	return wrong
}
