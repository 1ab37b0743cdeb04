package converse

import "strings"

// Settings say who is asked. Only the user's own configuration sets them.
type Settings struct {
	Setting    string // the key of the setting, as errors name it: ask, distill
	Target     string // claude, or the address of an endpoint
	Model      string // "" is the target's own choice
	KeyEnv     string // environment variable with the endpoint's key; "" is the usual one of a known host
	KeyCommand string // prints the key, in its place; "" is none
}

// Resolve fills in who is asked if nobody says: Anthropic's interface for whoever has a key of
// it in the environment, else the Claude Code that is installed.
func (s Settings) Resolve(w World) (Settings, error) {
	const variable = "ANTHROPIC_API_KEY"
	base := strings.TrimSuffix(w.Getenv("ANTHROPIC_BASE_URL"), "/")
	switch {
	case s.Target != "":
		return s, nil
	case w.Getenv(variable) != "" || s.KeyCommand != "" || s.KeyEnv != "":
		if s.Target = "https://api.anthropic.com/v1/messages"; base != "" {
			s.Target = base + "/v1/messages"
		}
		if s.KeyEnv == "" { // the address may be a proxy, which is named beside the key
			s.KeyEnv = variable
		}
		return s, nil
	case Program{World: w}.Path() != "":
		s.Target = Claude
		return s, nil
	}
	return s, &RefusedError{"no model to ask: " + variable + " is not set, and there is no 'claude' on the PATH", "export " + variable + "=..., or 'git sage config set " + s.Setting + " <address>'"}
}
