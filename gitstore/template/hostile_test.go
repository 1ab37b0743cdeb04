package template

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

func render(format string, c *sage.Checkpoint) (string, error) {
	return (&Template{Name: "x", Format: format}).Render(context.Background(), c)
}

func double(n int) string {
	return "{% set a = 'aaaaaaaaaa' %}" + strings.Repeat("{% set a = a ~ a %}", n)
}

// hostile formats must end with an error, soon, and without a lot of memory.
var hostile = map[string]string{
	"number and letter":  "{{ 1.\u61aa }}",
	"float and letter":   "{{ s\xa31.0.\u00e9",
	"digit of others":    "{% if \u0663.\u00e9 %}{% endif %}",
	"range":              "{% for i in range(1000000000) %}x{% endfor %}",
	"range of a power":   "{% for i in range(10**9) %}x{% endfor %}",
	"range as an int":    "{% for i in range((10**9)|int) %}{% endfor %}",
	"range backwards":    "{{ range(0, -1000000000, -1)|length }}",
	"range without end":  "{% for i in range(0, 10, 0) %}{% endfor %}",
	"nested loops":       strings.Repeat("{% for i in range(1000) %}", 8) + strings.Repeat("{% endfor %}", 8),
	"loops over text":    "{% for i in " + strings.Repeat("'aaaaaaaaaaaaaaaa' ~ ", 20) + "'' %}" + strings.Repeat("{% for j in range(9999) %}", 3) + strings.Repeat("{% endfor %}", 4),
	"product of text":    "{{ 'a' * 1000000000 }}",
	"product in a list":  "{{ ['a' * 1000000000] }}",
	"product in a set":   "{% set x = 'a' * 1000000000 %}",
	"product in an if":   "{% if 'a' * 1000000000 %}{% endif %}",
	"product in a call":  "{{ range('a' * 1000000000) }}",
	"product in a test":  "{{ 1 is eq('a' * 1000000000) }}",
	"product in a loop":  "{% for x in 'a' * 1000000000 %}{% endfor %}",
	"product in a with":  "{% with x = 'a' * 1000000000 %}{% endwith %}",
	"product in a slice": "{{ thesis['a' * 1000000000:] }}",
	"product in an else": "{{ 1 if thesis == 'no' else 'a' * 1000000000 }}",
	"product by a name":  "{{ thesis * 1000000000 }}",
	"doubling":           double(60) + "{{ a }}",
	"doubling with +":    strings.ReplaceAll(double(60), "~", "+"),
	"doubling a list":    "{% set a = [1,2] %}" + strings.Repeat("{% set a = a + a %}", 60),
	"nesting a list":     "{% set a = [1,2] %}" + strings.Repeat("{% set a = [a,a] %}", 60) + "{{ a }}",
	"nesting a dict":     "{% set a = {'x': 1} %}" + strings.Repeat("{% set a = {'x': a, 'y': a} %}", 60) + "{{ a }}",
	"list in itself":     "{% set a = [1] %}{{ a.append(a) }}{{ a }}",
	"dict in itself":     "{{ fields.update(x=fields) }}{{ fields }}",
	"field in itself":    "{% set fields.x = fields %}{{ fields }}",
	"namespace":          "{% set n = namespace() %}{% set n.x = n %}{{ n }}",
	"lipsum":             "{{ lipsum(1000000) }}",
	"center":             "{{ 'a'|center(1000000000) }}",
	"center method":      "{{ 'a'.center(1000000000) }}",
	"ljust method":       "{{ 'a'.ljust(1000000000) }}",
	"replace method":     double(14) + "{{ a.replace('a', a) }}",
	"join method":        double(14) + "{{ a.join(a) }}",
	"format method":      "{{ '{:1000000000}'.format(1) }}",
	"format filter":      "{{ '%1000000d'|format(1) }}",
	"indent":             "{{ thesis|indent(1000000000) }}",
	"indent first":       "{{ thesis|indent(width=1000000000, first=true) }}",
	"replace":            double(14) + "{{ a|replace('a', a) }}",
	"join":               double(14) + "{{ a|list|join(a) }}",
	"batch":              "{{ [1]|batch(1000000000, 'x') }}",
	"slice":              "{{ [1]|slice(1000000000) }}",
	"tojson":             "{{ fields|tojson(indent=1000000000) }}",
	"wide output":        double(16) + "{{ a }}{{ a }}",
	"output in a loop":   "{% for i in range(9000) %}" + strings.Repeat("x", 1000) + "{% endfor %}",
	"collected output":   "{% set x %}{% for i in range(9000) %}" + strings.Repeat("x", 9000) + "{% endfor %}{% endset %}",
	"filter block":       "{% filter upper %}{% for i in range(9000) %}x{% endfor %}{% endfilter %}",
	"macro":              "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
	"block":              "{% block a %}{{ self.a() }}{% endblock %}",
	"recursive loop":     "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
	"include":            "{% include '/etc/passwd' %}",
	"import":             "{% import '/etc/passwd' as x %}",
	"from":               "{% from '/etc/passwd' import x %}",
	"extends":            "{% extends '/etc/passwd' %}",
	"brackets":           "{{ " + strings.Repeat("(", 20000) + "1" + strings.Repeat(")", 20000) + " }}",
	"nots":               "{{ " + strings.Repeat("not ", 15000) + "1 }}",
	"minus":              "{{ " + strings.Repeat("-", 60000) + "1 }}",
	"powers":             "{{ " + strings.Repeat("2**", 20000) + "2 }}",
	"sums":               "{{ " + strings.Repeat("a+", 30000) + "2 }}",
	"filters":            "{{ 1" + strings.Repeat("|abs", 15000) + " }}",
	"attributes":         "{{ a" + strings.Repeat(".a", 30000) + " }}",
	"blocks":             strings.Repeat("{% if 1 %}", 3000) + strings.Repeat("{% endif %}", 3000),
	"too long":           strings.Repeat("x", 64<<10+1),
	"not a template":     "{% if %}",
	"open":               "{{ thesis",
	"open block":         "{% for x in y %}",
	"division by zero":   "{{ 1 // 0 }}{{ 1 % 0 }}",
	"no such filter":     "{{ thesis|shell }}",
	"Go method":          "{{ thesis.Error() }}",
	"loop object":        "{% for x in [1] %}{{ loop }}{% endfor %}",
	"self":               "{{ self.Render() }}",
	"attr":               "{{ thesis|attr('Val') }}",
	"huge int":           double(14) + "{{ a|replace('a','9')|int }}",
	"number words":       "{{ 9223372036854775807 * 'a' }}{{ 'a' * 9 }}",
}

func TestHostileFormatsEnd(t *testing.T) {
	c := sample()
	for name, format := range hostile {
		t.Run(name, func(t *testing.T) {
			if out, err := render(format, c); err == nil {
				t.Errorf("no error, output of %d bytes: %.100q", len(out), out)
			} else if len(err.Error()) > 500 || strings.Contains(err.Error(), "root:") {
				t.Errorf("the error says too much: %v", err)
			}
		})
	}
}

// honest formats must not suffer from the sandbox.
var honest = map[string]string{
	"{{ thesis|upper }}":                             "TOKENS",
	"{{ 3 * 4 }}{{ confidence * 2 }}":                "121.0",
	"{{ (confidence * 100)|round|int }}%{{ 6 / 3 }}": "50%2.0",
	"{{ 'a' ~ thesis ~ 1 }}":                         "atokens1",
	"{% for i in [0, 1, 2] %}{{ i }}{% if not loop.last %},{% endif %}{% endfor %}":                                       "0,1,2",
	"{% for i in [1, 3, 5]|reverse %}{{ loop.index }}={{ i }} {% endfor %}":                                               "1=5 2=3 3=1 ",
	"{% for k, v in fields.items() %}{{ k }}={{ v }};{% endfor %}":                                                        "impact=none;note=<b>;",
	"{% for k, v in fields|dictsort %}{{ k }}{% endfor %}":                                                                "impactnote",
	"{% set x = thesis|length %}{{ x + 1 }}":                                                                              "7",
	"{{ '{{ x }}' }}{% set x = 1 %}{% for x in [2] %}{% set y = x %}{% endfor %}{{ x }}{{ y }}":                           "{{ x }}1",
	"{% if confidence > 1 %}a{% elif confidence == 0.5 %}b{% else %}c{% endif %}{% for x in [] %}{% else %}-{% endfor %}": "b-",
	"{% for s in sources if s.id == 'x' %}a{% else %}-{% endfor %}{% for x in 'ab' %}{{ x }}.{% endfor %}":                "-a.b.",
	" a {{- ' b ' -}} c {#- d -#} e {%- if true -%} f {% endif %}":                                                        " a b cef ",
	"{% for k, v in fields if v == 'none' %}{{ loop.index }}{{ loop.last }}{{ k }}{{ v }}{% endfor %}":                    "1Trueimpactnone",
	"{{ key_evidence }}{{ [1.0, none, true] }}{{ 7 - 2 * 2 }}{{ -1 }}{{ key_evidence[-1] }}":                              "['a', 'b'][1.0, None, True]3-1b",
	"{{ missing|default('none') }}{{ missing }}{{ missing.deep|default('-') }}":                                           "none-",
	"{{ note }}{{ note|e }}":                                                                                "<b>&lt;b&gt;",
	"{{ key_evidence|join(', ') }}":                                                                         "a, b",
	"{{ sources|map(attribute='id')|join('+') }}":                                                           "s1+s2",
	"{{ sources|selectattr('relation', 'equalto', 'supports')|list|length }}":                               "1",
	"{% for s in sources if s.relation %}{{ s.id }}{% else %}-{% endfor %}":                                 "s1",
	"{{ 'yes' if confidence > 0.3 else 'no' }}":                                                             "yes",
	"{{ thesis.startswith('tok') and thesis in ['tokens'] }}":                                               "True",
	"{# a comment #}{{ thesis[0] }}{{ key_evidence[0] }}":                                                   "ta",
	"{% if action.goal %}{{ action.goal }}{% elif action_type %}x{% endif %}":                               "ship",
	"{{ fields|tojson }}":                                                                                   `{"impact":"none","note":"\u003cb\u003e"}`,
	"{% for x in ['a', 'b'] + ['c'] %}{{ x }}{% endfor %}{{ fields['note'] }}":                              "abc<b>",
	"{% for x in [1,2,3] %}{% if x == 2 %}{% continue %}{% endif %}{{ x }}{% endfor %}":                     "13",
	"{{ thesis|indent(2, first=true) }}|{{ 'a b'|replace(' ', '_') }}|{{ key_evidence|map('upper')|join }}": "  tokens|a_b|AB",
}

func TestHonestFormatsRender(t *testing.T) {
	half := 0.5
	c := &sage.Checkpoint{
		Thesis: "tokens", Confidence: &half, KeyEvidence: []string{"a", "b"}, Action: sage.Action{Goal: "ship"},
		Sources: []sage.Source{{ID: "s1", Relation: "supports"}, {ID: "s2"}},
		Fields:  map[string]any{"note": "<b>", "impact": "none"},
	}
	for format, want := range honest {
		got, err := render(format, c)
		if err != nil || strings.TrimSuffix(got, "\n") != want {
			t.Errorf("%s\n got %q, %v\nwant %q", format, got, err, want)
		}
	}
	if len(c.Fields) != 2 {
		t.Errorf("a format changed the checkpoint: %v", c.Fields)
	}
}

// TestFormatsAreCheckedWhenWritten shows what the one who writes a template is told.
func TestFormatsAreCheckedWhenWritten(t *testing.T) {
	for format, want := range map[string]string{
		"a\n{% include 'a' %}":             "line 2: tag 'include' is not supported: a template loads no files, write here what it would load",
		"{% macro m() %}{% endmacro %}":    "line 1: tag 'macro' is not supported: write out what it stands for",
		"{% raw %}{% endraw %}":            "use '{{ \"{{\" }}'",
		"{% with a = 1 %}{% endwith %}":    "use 'set name = value'",
		"{% filter upper %}":               "use '{{ value | filter }}'",
		"{% nope %}":                       "tag 'nope' is not supported, or not here: there are if, for, set, break and continue",
		"\n\n{{ thesis | shell }}":         "line 3: filter 'shell' is not supported: there are count, d, default,",
		"{{ thesis is shell }}":            "test 'shell' is not supported: there are boolean, defined,",
		"{{ range(3) }}":                   "a value is expected, not 'range'; only filters can be called",
		"{{ thesis | join('a', 'b', 1) }}": "filter 'join' takes (d, attribute), and nothing else",
		"{{ thesis | join(by=1) }}":        "filter 'join' takes (d, attribute), and nothing else",
		"{{ thesis[1:2] }}":                "']' is expected, not ':'",
		"{{ a b }}":                        "'b' is not expected there",
		"{{ 2 ** 3 }}":                     "a value is expected, not '*'",
		"{{ {'a': 1} }}":                   "has no meaning from here on: ' {'a': 1} }}'",
		"{% for x in y %}":                 "'endfor' is missing at the end",
		"{% if a %}{% endfor %}":           "tag 'endfor' is not supported, or not here",
		"{% if a %}{% break %}{% endif %}": "tag 'break' is not supported, or not here",
		"{% else %}":                       "tag 'else' is not supported, or not here",
		"{{ 1 < 2 < 3 }}":                  "'<' is not expected there",
		"{# a":                             "'#}' is missing",
		"a\x01b":                           "no control characters",
	} {
		_, err := Parse([]byte("name: x\nformat: " + strconv.Quote(format)))
		var bad *FormatError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", format, err, want)
		}
	}
}

func TestRenderStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := (&Template{Name: "x", Format: "{{ thesis }}"}).Render(ctx, sample())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestOutputUpToTheLimit(t *testing.T) {
	c := &sage.Checkpoint{Thesis: strings.Repeat("x", maxOutput-100)}
	if out, err := render("{{ thesis }}", c); err != nil || len(out) < maxOutput-100 {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	if _, err := render("{{ thesis }}{{ thesis }}", c); !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v", err)
	}
}

func FuzzRender(f *testing.F) {
	for _, s := range hostile {
		if len(s) < 2000 {
			f.Add(s)
		}
	}
	for s := range honest {
		f.Add(s)
	}
	c := sample()
	f.Fuzz(func(t *testing.T, format string) {
		out, err := render(format, c)
		if err == nil && len(out) > maxOutput+1 {
			t.Errorf("%d bytes", len(out))
		}
	})
}
