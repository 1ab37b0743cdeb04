package git

import (
	"os"
	"strings"
)

// kept are the GIT_ variables that reach git. All others are dropped: they
// belong to an outer git (GIT_INDEX_FILE, GIT_AUTHOR_DATE in a hook) or change
// what is read (GIT_ALTERNATE_OBJECT_DIRECTORIES, GIT_REPLACE_REF_BASE).
var kept = []string{
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
	"GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH",
	"GIT_QUARANTINE_PATH", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS",
	"GIT_DEFAULT_HASH", "GIT_DEFAULT_REF_FORMAT", "GIT_TEST_ASSUME_DIFFERENT_OWNER",
}

// users are those that a person may have set for this very command.
var users = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"}

// fixed is what git is told besides. A lazy fetch runs a program that a
// repository's own config may name; git before 2.45 knows the first variable only
// in its security releases, so no protocol is allowed either.
var fixed = []string{
	"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
	"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1",
	"GIT_GRAFT_FILE=" + os.DevNull + "/none", // grafts change who continues whom; no file is better than an empty one, of which git warns
	"LC_ALL=C", "LANGUAGE=",
}

func clean(env []string, guest bool) []string {
	out := make([]string, 0, len(env)+len(fixed))
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if name == "LC_ALL" || name == "LANGUAGE" || strings.HasPrefix(name, "GIT_") && !passes(name, guest) {
			continue
		}
		out = append(out, kv)
	}
	return append(out, fixed...)
}

func passes(name string, guest bool) bool {
	for _, k := range kept {
		if name == k {
			return true
		}
	}
	if guest {
		return false
	}
	for _, k := range users {
		if name == k {
			return true
		}
	}
	return strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}
