package digest

import (
	"fmt"
)

func line(kind, text string) string {
	return fmt.Sprintf(`{"uuid":"%s-%s","type":%q,"message":{"content":%q}}`, kind, text, kind, text) + "\n"
}
