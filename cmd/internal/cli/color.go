package cli

import (
	"cmp"
	"strconv"
	"strings"
)

// colored says whether output carries colour: --color, else color.sage, else
// color.ui, as git decides it. NO_COLOR and a dumb terminal speak for "auto".
func (a *app) colored() bool {
	when := a.color
	for _, key := range []string{"color.sage", "color.ui"} {
		if when == "" {
			when = a.gitConfig(key)
		}
	}
	switch strings.ToLower(when) {
	case "always":
		return true
	case "never", "false", "no", "off", "0":
		return false
	}
	return a.isTTY && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"
}

// gitConfig is a value of git's own configuration, "" if it is not set.
func (a *app) gitConfig(key string) string {
	if a.store == nil {
		return ""
	}
	v, _, _ := a.store.Config(key)
	return v
}

// userConfig is gitConfig for a key that names a program: one that the
// repository itself names is not run, and the person is told. ok is false then.
func (a *app) userConfig(key string) (value string, ok bool) {
	all := a.gitConfig(key)
	if all == "" {
		return "", true
	}
	if value, ok = a.store.UserConfig(key); !ok {
		a.warn("%s is ignored if only this repository sets it; set it with 'git config --global'", key)
	}
	return value, ok
}

// A palette paints words if colour is wanted.
type palette struct {
	on bool
	id string // the escape sequence of color.diff.commit
}

func (a *app) palette() palette {
	if !a.colored() {
		return palette{}
	}
	return palette{on: true, id: escape(cmp.Or(a.gitConfig("color.diff.commit"), "yellow"))}
}

// ID paints an id as git log paints one.
func (p palette) ID(s string) string { return p.paint(p.id, s) }

// Paint paints s in a colour written as git's configuration writes them.
func (p palette) Paint(color, s string) string { return p.paint(escape(color), s) }

func (p palette) paint(seq, s string) string {
	if !p.on || seq == "" || s == "" {
		return s
	}
	return seq + s + "\x1b[m"
}

// escape turns git's words for a colour, such as "bold red" or "#ff0080 dim",
// into an escape sequence. A word that it does not know colours nothing.
func escape(color string) string {
	var codes []string
	base := 30
	for _, w := range strings.Fields(strings.ToLower(color)) {
		code, isColor := colorCode(w, base)
		if isColor {
			base = 40 // the second colour is the background
		}
		if code != "" {
			codes = append(codes, code)
		}
	}
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// colorCode is the parameter for one word, and whether it was a colour rather
// than an attribute. "normal" is a colour that says nothing.
func colorCode(w string, base int) (code string, isColor bool) {
	if w == "normal" {
		return "", true
	}
	for i, name := range [...]string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "", "default"} {
		if w == name {
			return strconv.Itoa(base + i), true
		}
		if w == "bright"+name {
			return strconv.Itoa(base + 60 + i), true
		}
	}
	for i, name := range [...]string{"reset", "bold", "dim", "italic", "ul", "blink", "", "reverse", "", "strike"} {
		if w == name {
			return strconv.Itoa(i), false
		}
	}
	if n, err := strconv.Atoi(w); err == nil && n >= 0 && n < 256 {
		return strconv.Itoa(base+8) + ";5;" + w, true
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(w, "#"), 16, 32); err == nil && len(w) == 7 {
		return strconv.Itoa(base+8) + ";2;" + strconv.Itoa(int(n>>16)) + ";" + strconv.Itoa(int(n>>8&255)) + ";" + strconv.Itoa(int(n&255)), true
	}
	return "", false
}
