package term

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Colored says whether output carries colour: --color, else color.sage, else
// color.ui, as git decides it. NO_COLOR and a dumb terminal speak for "auto".
func (t *Terminal) Colored() bool {
	when := t.Color
	for _, key := range []string{"color.sage", "color.ui"} {
		if when == "" {
			when = t.gitConfig(key)
		}
	}
	switch strings.ToLower(when) {
	case "always":
		return true
	case "never", "false", "no", "off", "0":
		return false
	}
	return t.TTY && t.Getenv("NO_COLOR") == "" && t.Getenv("TERM") != "dumb"
}

// gitConfig is a value of git's own configuration, "" if it is not set.
func (t *Terminal) gitConfig(key string) string {
	if t.Git == nil {
		return ""
	}
	v, _, _ := t.Git.Config(key)
	return v
}

// UserConfig is gitConfig for a key that names a program: one that the
// repository itself names is not run, and the person is told. ok is false then.
func (t *Terminal) UserConfig(key string) (value string, ok bool) {
	all := t.gitConfig(key)
	if all == "" {
		return "", true
	}
	if value, ok = t.Git.UserConfig(key); !ok {
		t.Warn("%s is ignored if only this repository sets it; set it with 'git config --global'", key)
	}
	return value, ok
}

// A Palette paints words if colour is wanted.
type Palette struct {
	on bool
	id string // the escape sequence of color.diff.commit
}

// Palette is the colours that the output takes.
func (t *Terminal) Palette() Palette {
	if !t.Colored() {
		return Palette{}
	}
	return Palette{on: true, id: escape(cmp.Or(t.gitConfig("color.diff.commit"), "yellow"))}
}

// ID paints an id as git log paints one.
func (p Palette) ID(s string) string { return p.paint(p.id, s) }

// Paint paints s in a colour written as git's configuration writes them.
func (p Palette) Paint(color, s string) string { return p.paint(escape(color), s) }

func (p Palette) paint(seq, s string) string {
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

// Sequence is the escape sequence for %C(color); %C(auto) is left to us.
func (t *Terminal) Sequence(color string) string {
	always := strings.HasPrefix(color, "always,")
	color = strings.TrimPrefix(strings.TrimPrefix(color, "always,"), "auto,")
	if !always && !t.Colored() {
		return ""
	}
	if color == "reset" {
		return "\x1b[m"
	}
	return escape(color)
}

// ColorWhen is the value of --color.
type ColorWhen string

func (w *ColorWhen) Set(s string) error {
	if !slices.Contains([]string{"always", "never", "auto"}, s) {
		return errors.New("want always, never or auto")
	}
	*w = ColorWhen(s)
	return nil
}

func (w *ColorWhen) String() string { return string(*w) }

func (*ColorWhen) Type() string { return "string" }
