// Package vocabulary has what words do in a sentence about a secret, in six languages, and which plain
// words are no passwords there.
package vocabulary

// A Role is what a word does in a sentence about a secret, in six languages.
type Role uint8

const (
	Leads  Role = 1 << iota // leads from the name of a secret to the secret: is, lautet
	Fills                   // may stand between a link and the secret: now
	States                  // says something of a secret instead of telling it: wrong, required
	Denies                  // makes the name of a secret another thing: policy, reset
	Owns                    // makes a key a secret one: private
	Helps                   // comes before a link: should be
)

// RoleOf returns the roles of a word in lower case. A switch costs nothing at the start of
// a process, as a map would, and less than a search in a list.
func RoleOf(low string) Role {
	switch low {
	case "is", "are", "zu":
		return Leads | States
	case "was", "lautet", "ist", "war", "heißt", "heisst", "wäre", "est", "était", "sera", "es", "era", "è", "é", "foi", "equals", "from",
		"von", "likes", "should_be", "reads", "becomes", "became", "bleibt", "reste", "será", "vaut", "vale":
		return Leads
	case "habe", "hab", "haben", "j'ai", "hemos":
		return Leads
	case "be", "to", "auf", "en", "a", "à", "now":
		return Leads | Fills
	case "should":
		return Leads | States | Helps
	case "still", "currently", "just", "simply", "literally", "jetzt", "nun", "noch", "derzeit", "aktuell", "nämlich", "einfach",
		"maintenant", "toujours", "actuellement", "simplement", "réinitialisé", "changé", "mis", "ahora", "todavía", "actualmente",
		"simplemente", "cambiada", "ora", "adesso", "agora", "temporarily", "désormais", "dorénavant", "inzwischen", "mittlerweile", "fortan", "presently", "henceforth", "again", "back", "weiterhin", "wieder", "wie", "folgt",
		"following", "either", "called", "updated":
		return Fills
	case "ich", "wir", "choisi", "puesto", "usado":
		return Fills
	case "set", "gesetzt":
		return Fills | States
	case "reset", "changed":
		return Fills | States | Denies
	case "value":
		return Fills | Denies
	case "wrong", "right", "correct", "incorrect", "invalid", "valid", "missing", "empty", "blank", "null", "nil", "none", "unset",
		"required", "optional", "weak", "strong", "short", "long", "too", "may", "can", "cannot", "never", "always", "already", "only",
		"stored", "saved", "hashed", "masked", "hidden", "random", "unknown", "same", "different", "here", "there", "this", "it", "the",
		"your", "my", "our", "their", "yes", "no", "true", "false", "rotated", "leaked", "compromised", "exposed", "given", "sent",
		"shared", "redacted", "undefined", "falsch", "richtig", "leer", "nicht", "kurz", "lang", "abgelaufen", "erforderlich", "vide",
		"requis", "obligatoire", "trop", "pas", "incorrecta", "vacía", "obligatoria", "requerida", "muy", "password", "passwort",
		"contraseña":
		return States
	case "expired", "not", "that":
		return States | Denies
	case "must":
		return States | Helps
	case "encrypted":
		return States | Owns
	case "policy", "change", "changes", "count", "type", "types", "name", "names", "url", "uri", "field", "fields", "file", "files", "path",
		"paths", "length", "limit", "expiry", "expires", "rotation", "check", "checks", "hash", "hashing", "hashes", "manager", "prompt",
		"form", "format", "generator", "validation", "validator", "strength", "bug", "bugs", "fix", "error", "errors", "failed", "fails",
		"login", "bucket", "budget", "usage", "page", "hint", "placeholder", "example", "parser", "test", "tests", "authentication",
		"auth", "store", "and", "or", "handler", "endpoint", "refresh", "lifetime", "ttl", "authentifizierung", "vergessen", "ändern",
		"prüfen", "oublié", "olvidada", "which", "who", "where", "when", "because", "if", "unless", "until", "commit", "sha", "id", "ids",
		"number", "header", "primary", "foreign", "primaire", "primaria", "étrangère", "foránea", "unique", "public", "cache", "sort",
		"partition", "index", "insight", "findings", "pair", "values", "pairs":
		return Denies
	case "api", "d'api", "l'api", "secrète", "secrete", "secreta", "secreto", "privée", "privada", "privata", "geheime", "geheimer",
		"segreta", "accès", "d'accès", "acceso", "accesso", "zugriff", "encrypt", "encrypts", "sign", "signing", "decrypt",
		"verschlüsselung", "api-zugriff", "aws", "zugriffs":
		return Owns
	case "has", "have", "been":
		return Helps
	}
	return 0
}
