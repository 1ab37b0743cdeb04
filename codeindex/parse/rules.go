package parse

import (
	"embed"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// What a file of a language defines is told by rules, one a line, for nodes of its
// grammar:
//
//	function_definition function name=name body=body
//	call                call     name=function
//	assignment          variable name=left if=left:identifier in=expression_statement top
//
// A rule gives a node a role. The first rule of a node that applies is used: one whose
// conditions hold, and whose name is there. A role is a kind of definition, or
//
//	call, import  a reference; of a callee the name is resolved, see name
//	embed         a text in JavaScript or TypeScript
//	comment       documents a definition that follows at once
//	prefix        belongs to the definition that follows, such as an attribute
//	wrap          its first definition begins where the node does, the last ends there
//	scope         what is defined in it is local, as in a lambda
//	name          stands where a name is expected: the name is in it, or is it, if the
//	              rule names no path
//
// Attributes are paths from the node: name, body, doc, of (what the name is qualified
// with). What has no name of its own but for its text, as a default export may, is named
// default. A path is of steps divided by '/': a field; a field with a star for the chain
// of it; (type) and $type for the first and the last child of a type, $ for the last of
// any; ^ for the first child, ^type if it has that type. Only named children count.
//
// Conditions are if=path, if=path:type|type, if=path="text|text", in=type|type for the
// parent, and each with != for what must not be. Behind a path that ends in a star, a
// type may be that of any node on the way. The word top leaves out what is local, and
// whole leaves unread what is in the node.
//
// A line "use javascript" takes the rules of another language after the own ones, but for
// nodes that this grammar does not have.

//go:embed rules
var ruleFiles embed.FS

// Roles as walker.c numbers them. Kinds follow from definition on.
const (
	roleName = 1 + iota
	roleComment
	rolePrefix
	roleWrap
	roleScope
	roleCall
	roleImport
	roleEmbed
	roleDefinition = 16
)

var roles = [...]string{roleName: "name", roleComment: "comment", rolePrefix: "prefix", roleWrap: "wrap", roleScope: "scope", roleCall: "call", roleImport: "import", roleEmbed: "embed"}

const (
	flagTop = 1 << iota
	flagWhole
	flagConceals
)

const (
	stepField = iota
	stepFields
	stepChild
	stepFirst
	stepLast
)

const (
	condNot = 1 << iota
	condEach
	condText
	condParent
)

// A grammar numbers the nodes and fields of a language.
type grammar interface {
	symbol(name string) uint32 // 0 if it has none
	field(name string) uint32
}

// encodeRules makes the table that the walker reads from the rules of a language.
func encodeRules(language string, g grammar) ([]byte, error) {
	lines, err := readRules(language, false)
	if err != nil {
		return nil, err
	}
	var rules [][]uint32
	for _, l := range lines {
		e := encoder{g: g}
		rule := e.rule(strings.Fields(l.text))
		if e.err != nil && l.lenient && e.absent {
			continue
		}
		if e.err != nil {
			return nil, fmt.Errorf("rules of %s: %s: %w", language, l.text, e.err)
		}
		rules = append(rules, rule)
	}
	slices.SortStableFunc(rules, func(a, b []uint32) int { return int(a[1]) - int(b[1]) })
	var out []byte
	for _, r := range rules {
		for _, w := range r {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
	}
	return append(out, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff), nil // no rule, which ends the last symbol's
}

type ruleLine struct {
	text    string
	lenient bool // of another language
}

func readRules(language string, lenient bool) (lines []ruleLine, err error) {
	data, err := ruleFiles.ReadFile("rules/" + language + ".rules")
	if err != nil {
		return nil, err
	}
	var used []ruleLine
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if other, ok := strings.CutPrefix(line, "use "); ok {
			if used, err = readRules(other, true); err != nil {
				return nil, err
			}
		} else if line != "" && line[0] != '#' {
			lines = append(lines, ruleLine{line, lenient})
		}
	}
	return append(lines, used...), nil
}

// An encoder encodes one rule. The first error stays.
type encoder struct {
	g      grammar
	err    error
	absent bool // the error is that the grammar lacks a node or field
}

func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

func (e *encoder) symbol(name string) uint32 {
	id := e.g.symbol(name)
	if id == 0 && e.err == nil {
		e.fail("no node %q", name)
		e.absent = true
	}
	return id
}

func (e *encoder) rule(words []string) []uint32 {
	if len(words) < 2 {
		e.fail("no role")
		return nil
	}
	paths := map[string][]uint32{}
	var flags uint32
	var conditions [][]uint32
	role := e.role(words[1])
	if role >= roleDefinition && conceals(kinds[role-roleDefinition]) {
		flags |= flagConceals
	}
	for _, w := range words[2:] {
		key, value, _ := strings.Cut(w, "=")
		not := strings.HasSuffix(key, "!")
		switch strings.TrimSuffix(key, "!") {
		case "top":
			flags |= flagTop
		case "whole":
			flags |= flagWhole
		case "name", "body", "of", "doc":
			paths[key] = e.path(value)
		case "if", "in":
			conditions = append(conditions, e.condition(key[:2], value, not))
		default:
			e.fail("unknown attribute %q", w)
		}
	}
	out := []uint32{0, e.symbol(words[0]), role, flags}
	for _, key := range []string{"name", "body", "of", "doc"} {
		p := paths[key]
		out = append(append(out, uint32(len(p)/2)), p...)
	}
	out = append(out, uint32(len(conditions)))
	for _, c := range conditions {
		out = append(out, c...)
	}
	out[0] = uint32(len(out))
	return out
}

func (e *encoder) role(name string) uint32 {
	if i := slices.Index(roles[:], name); i > 0 {
		return uint32(i)
	}
	i := slices.Index(kinds[:], Kind(name))
	if i < 0 {
		e.fail("unknown role %q", name)
	}
	return roleDefinition + uint32(max(i, 0))
}

// path encodes steps, each as two words.
func (e *encoder) path(path string) (out []uint32) {
	if path == "." {
		return nil
	}
	for step := range strings.SplitSeq(path, "/") {
		op, name := uint32(stepField), step
		switch {
		case strings.HasPrefix(step, "^"):
			op, name = stepFirst, step[1:]
		case strings.HasPrefix(step, "$"):
			op, name = stepLast, step[1:]
		case strings.HasPrefix(step, "("):
			op, name = stepChild, strings.Trim(step, "()")
		case strings.HasSuffix(step, "*"):
			op, name = stepFields, step[:len(step)-1]
		}
		var id uint32
		if op == stepField || op == stepFields {
			if id = e.g.field(name); id == 0 && e.err == nil {
				e.fail("no field %q", name)
				e.absent = true
			}
		} else if name != "" {
			id = e.symbol(name)
		}
		out = append(out, op, id)
	}
	return out
}

func (e *encoder) condition(key, value string, not bool) []uint32 {
	var flags uint32
	var path, list []uint32
	var alternatives []string
	if not {
		flags |= condNot
	}
	at, types := value, ""
	if key == "in" {
		flags |= condParent
		at, types = ".", value
	} else if before, texts, ok := strings.Cut(value, `="`); ok {
		flags |= condText
		at = before
		alternatives = strings.Split(strings.TrimSuffix(texts, `"`), "|")
	} else {
		at, types, _ = strings.Cut(value, ":")
	}
	if strings.HasSuffix(at, "*") {
		flags |= condEach
	}
	path = e.path(at)
	for _, text := range alternatives {
		list = append(list, uint32(len(text)))
		padded := append([]byte(text), make([]byte, (4-len(text)%4)%4)...)
		for i := 0; i < len(padded); i += 4 {
			list = append(list, binary.LittleEndian.Uint32(padded[i:]))
		}
	}
	if types != "" {
		alternatives = strings.Split(types, "|")
		for _, name := range alternatives {
			list = append(list, e.symbol(name))
		}
	}
	out := append([]uint32{0, flags, uint32(len(path) / 2)}, path...)
	out = append(append(out, uint32(len(alternatives))), list...)
	out[0] = uint32(len(out))
	return out
}
