package vocabulary

import (
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/values"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// PlainWord reports whether text, which link leads to, is a word of letters alone and none
// that says something about a password.
func PlainWord(text, link string) bool {
	n := utf8.RuneCountInString(text)
	if n < 4 || n > 32 {
		return false
	}
	low := words.Lower(text)
	if strings.Count(low, "-") > 1 { // correct-horse-battery, not up-to-date
		for part := range strings.SplitSeq(low, "-") {
			if len(part) < 4 || !PlainWord(part, link) {
				return false
			}
		}
		return true
	}
	for at := 0; at < len(text); {
		k := words.Letter(text, at)
		if k == 0 {
			return false
		}
		at += k
	}
	if n < 6 && text == strings.ToUpper(text) { // TLS, NULL
		return false
	}
	return RoleOf(low) == 0 && !aboutSecrets(low) && !describes(low, link) && !values.Technical(low) && !values.IsPlaceholder(text) && keys.GradeKey(text) == keys.None
}

// Ends and beginnings that participles, adjectives and adverbs have, and few other words.
var (
	endsEN = [...]string{"ed", "ing", "ly", "able", "ible", "ful", "less", "ive", "ous", "ent", "ant", "ary", "ory", "al", "ic", "some", "like", "wide", "proof", "ity", "tion", "ness", "ment"}
	headEN = [...]string{"non", "over", "under", "mis", "pre", "insec", "incor", "inval", "inact"}
	endsDE = [...]string{"bar", "lich", "ig", "los", "haft", "isch", "iert", "sam", "frei", "ung", "heit", "keit", "lang", "fähig", "wert", "voll", "weise", "end", "stellig", "reich", "ell",
		"bil", "ibel", "abel", "ekt", "ant", "zweit", "weit", "ular", "ent", "iv", "al", "sicher", "gleich"}
	headDE = [...]string{"ge", "ver", "be", "er", "ent", "zer", "über", "unter", "hinter", "miss", "wieder", "wider", "umbe", "umge", "durch"} // of participles: verloren
	apart  = [...]string{"ab", "an", "auf", "aus", "ein", "zu", "vor", "nach", "mit", "weg", "um", "fest", "weiter", "los", "her", "fehl", "schreib", "groß", "klein", "hoch", "hin", "bei",
		"klar", "fort", "voraus", "kurz", "lese", "gut", "tot"} // of those with -ge-: abgelaufen
	endsFR = [...]string{"é", "ée", "és", "ées", "able", "ible", "if", "ive", "eux", "euse", "ant", "ante", "ent", "ente", "aire", "oire", "ique", "el", "elle", "al", "ale", "tion", "ide",
		"ect", "ecte", "eur", "i", "ie", "is", "ise", "it", "ite", "u", "ue", "fort", "ert", "erte", "clair"}
	endsES = [...]string{"ado", "ada", "ido", "ida", "able", "ible", "oso", "osa", "ivo", "iva", "al", "ario", "aria", "orio", "oria", "mente", "ente", "ante", "cto", "cta", "ico", "ica",
		"ción", "dad", "il", "ular", "uro", "ura", "ato", "ata", "uto", "uta", "ito", "ita", "ulo", "ula", "ebil", "ébil", "ável", "ível", "ório", "ória", "atto", "etta", "etto"}
	headES = [...]string{"inco", "inv", "ins", "non"} // French, too
)

// describes reports whether a word, in lower case, has such an end or beginning in the
// language of the link; behind a mere sign, in any.
func describes(low, link string) bool {
	en, de, fr, es := false, false, false, false
	switch link {
	case "is", "are", "was", "equals", "becomes", "became", "reads", "now", "to":
		en = true
	case "ist", "lautet", "war", "heißt", "heisst", "wäre", "bleibt", "auf":
		de = true
	case "est", "était", "sera", "reste", "vaut":
		fr = true
	case "es", "era", "será", "è", "é", "foi", "vale":
		es = true
	default:
		en, de, fr, es = true, true, true, true
	}
	negated := strings.HasPrefix(low, "un") && !strings.HasPrefix(low, "uni")
	switch {
	case (en || de) && negated:
		return true
	case en && (words.HasEnd(low, endsEN[:]...) || words.HasStart(low, headEN[:]...)):
		return true
	case de && (words.HasEnd(low, endsDE[:]...) || words.HasEnd(low, "t", "en") && (words.HasStart(low, headDE[:]...) || strings.Contains(low, "ge") && words.HasStart(low, apart[:]...))):
		return true
	case (fr || es) && words.HasStart(low, headES[:]...):
		return true
	}
	return fr && words.HasEnd(low, endsFR[:]...) || es && words.HasEnd(low, endsES[:]...)
}

// aboutSecrets reports whether a word, in lower case, says something about a password or
// begins to, and has no end that would tell so.
func aboutSecrets(low string) bool {
	switch low {
	case // what a password is like
		"about", "above", "abroad", "abrupt", "absent", "absolute", "absurd", "acceptable", "accepted", "accurate", "across", "active", "actually", "additional", "adequate",
		"admin-only", "adverse", "afoot", "after", "afterwards", "against", "ages", "agnostic", "ahead", "alike", "alive", "almost", "alone", "along", "aloud", "also",
		"alternate", "although", "amazing", "amid", "amiss", "among", "amongst", "ancient", "annoying", "another", "anybody", "anymore", "anyone", "anything", "anyway",
		"apart", "apiece", "apparently", "applied", "appropriate", "approximate", "april", "apt", "argon", "around", "ascii", "aside", "ask", "asked", "asleep", "async",
		"august", "auto", "available", "averse", "awake", "aware", "away", "awful", "awkward", "back", "backwards", "bad", "bare", "barely", "base", "based", "basically",
		"bcrypt", "because", "become", "before", "beforehand", "begun", "behind", "being", "below", "beneath", "benign", "beside", "besides", "best", "better", "between",
		"beyond", "bigger", "binary", "bland", "blatant", "blunt", "blurry", "bogus", "bolder", "boolean", "born", "both", "bought", "bound", "brief", "bright", "brittle",
		"broad", "broken", "brought", "buggy", "built", "bulky", "burned", "burnt", "bust", "busy", "bypassed", "bytes", "cached", "case", "case-sensitive", "caught",
		"certain", "chatty", "cheap", "cheaper", "check", "choose", "chosen", "cipher", "ciphertext", "circular", "clean", "clear", "clearer", "cleartext", "close",
		"closed", "clumsy", "clunky", "coarse", "cold", "come", "comes", "coming", "common", "compact", "complete", "complex", "composite", "compound", "concrete", "const",
		"constant", "cool", "corrupt", "costlier", "costly", "cozy", "crackable", "crap", "crappy", "crazy", "crisp", "crucial", "crude", "cruel", "cryptic", "current",
		"custom", "cut", "daily", "data", "dead", "dealt", "dear", "debug", "december", "decent", "deep", "default", "definite", "defunct", "degenerate", "deliberate",
		"denied", "dense", "deprecated", "desperate", "despite", "deterministic", "dev", "dicey", "difficult", "digest", "direct", "dirty", "disabled", "discreet",
		"discrete", "distinct", "dodgy", "done", "double", "down", "downhill", "downstream", "drastic", "drawn", "driven", "dropped", "drunk", "due", "dull", "dumb",
		"duplicate", "during", "dusty", "earliest", "easier", "easiest", "easy", "easygoing", "either", "elaborate", "elite", "else", "elsewhere", "enabled", "encoded",
		"enforced", "enough", "enter", "entire", "entirely", "env", "ephemeral", "erratic", "even", "ever", "every", "everybody", "everyone", "everything", "everywhere",
		"evident", "exact", "exactly", "except", "exempt", "exotic", "expiring", "explicit", "exposed", "external", "extra", "extreme", "faint", "fair", "false", "falsy",
		"fancy", "faster", "fastest", "fatal", "faulty", "february", "feeble", "few", "fickle", "file", "fine", "finicky", "finite", "firm", "first", "fishy", "fit",
		"fixed", "flagged", "flaky", "flat", "fluid", "forbidden", "foreign", "forever", "forgotten", "formal", "found", "four", "fragile", "frail", "frantic", "free",
		"frequent", "fresh", "friday", "from", "frozen", "full", "fully", "funny", "further", "furthermore", "futile", "fuzzy", "garbage", "genuine", "glossy", "goes",
		"gone", "good", "great", "greater", "greatest", "greedy", "grim", "gross", "grown", "guessable", "hackish", "hacky", "half", "handmade", "handy", "happy", "hard",
		"hardcoded", "harder", "hardest", "harmless", "harsher", "hash", "hashed", "hazy", "heavier", "heavy", "hefty", "held", "hence", "hers", "hex", "hexadecimal",
		"hidden", "high", "higher", "history", "hit", "hollow", "honest", "however", "html", "huge", "humble", "hung", "ideal", "identical", "idle", "iffy", "ignore", "ill",
		"immediate", "immense", "immutable", "imperfect", "implicit", "important", "imprecise", "improper", "inaccurate", "inane", "inappropriate", "incomplete", "indeed",
		"indefinite", "indeterminate", "indirect", "inert", "inexact", "inferior", "infinite", "inline", "inplace", "input", "insane", "insecure", "inside", "instead",
		"intact", "intense", "intermediate", "internal", "into", "irrelevant", "itself", "january", "json", "july", "june", "junk", "just", "keen", "kept", "key",
		"keychain", "keyring", "keys", "known", "lame", "larger", "last", "late", "later", "latest", "lax", "lazy", "leaky", "lean", "least", "left", "legacy", "legit",
		"legitimate", "lengthy", "lenient", "less", "let", "light", "lighter", "like", "likelier", "likely", "limp", "linear", "literal", "little", "live", "local",
		"locked", "longer", "longest", "look", "looks", "loose", "looser", "lossy", "lost", "lower", "lowercase", "lucid", "mad", "made", "main", "major", "malformed",
		"managed", "mandatory", "manual", "many", "march", "mature", "maybe", "meaningless", "means", "meant", "meanwhile", "mere", "messy", "met", "meta", "metadata",
		"midnight", "mild", "mine", "minimal", "minor", "minus", "mixed", "moderate", "modern", "modest", "modular", "monday", "monthly", "moot", "more", "moreover", "most",
		"much", "mundane", "mutable", "mute", "naive", "naked", "narrow", "nasty", "native", "near", "nearby", "nearly", "neat", "neater", "necessary", "needed", "needs",
		"needy", "neither", "neutral", "never", "nevertheless", "newer", "newest", "nice", "nicer", "noble", "nobody", "noisy", "nonempty", "nonetheless", "nonexistent",
		"nonnull", "nonsecret", "nonsense", "nonzero", "normal", "note", "nothing", "novel", "november", "nowhere", "numb", "numeric", "obese", "obscure", "obsolete",
		"obstinate", "obvious", "october", "odd", "offhand", "official", "offline", "often", "ok", "okay", "older", "oldest", "once", "one-time", "ones", "onetime",
		"online", "onto", "opaque", "open", "opposite", "ordinary", "original", "other", "others", "otherwise", "ours", "outdated", "outermost", "output", "outright",
		"outside", "outwith", "over", "overdue", "overnight", "overridden", "overt", "overwritten", "owned", "pale", "parallel", "part", "partial", "passive", "past",
		"peculiar", "pending", "people", "per", "perfect", "perhaps", "permanent", "persistent", "petty", "pick", "picky", "placeholder", "placeholders", "plain",
		"plaintext", "plausible", "plump", "polite", "poor", "possible", "possibly", "potent", "prerequisite", "present", "pretty", "pricey", "private", "proactive",
		"probably", "problem", "prod", "production", "progress", "prompt", "prone", "proper", "proven", "provide", "public", "pure", "put", "pwned", "quaint", "quarterly",
		"queer", "quick", "quicker", "quite", "racy", "random", "rapid", "rare", "rarely", "rather", "raw", "reactive", "read", "read-only", "readable", "readonly", "ready",
		"real", "really", "reasonable", "rebuilt", "redone", "redrawn", "redundant", "regarding", "rejected", "relative", "reliable", "remembered", "remiss", "remote",
		"requisite", "reread", "rest", "reused", "rewritten", "rich", "rigid", "ripe", "riskier", "risky", "robust", "rogue", "root-owned", "rotate", "rotten", "rough",
		"round", "rubbish", "rude", "run", "rusty", "sacred", "safe", "safer", "safest", "salt", "salted", "salty", "sane", "saner", "saturday", "savage", "save", "savvy",
		"scarce", "scarier", "scary", "screwy", "scrypt", "seconds", "secret", "secure", "see", "seen", "seldom", "self", "sensitive", "sent", "separate", "september",
		"sessionwide", "setup", "several", "severe", "sha", "shady", "shaky", "shallow", "shallower", "shared", "sharp", "sheer", "shiny", "shoddy", "shorter", "shortest",
		"shown", "shrunk", "shut", "shy", "sideways", "silly", "similar", "simple", "simpler", "simplest", "single", "sketchy", "sleek", "slick", "slim", "sloppy", "slow",
		"slower", "small", "smaller", "smallest", "smart", "smooth", "snug", "sober", "soft", "softer", "sold", "sole", "solid", "some", "somehow", "someone", "something",
		"sometimes", "somewhere", "soon", "sought", "sound", "sour", "sparse", "special", "spent", "split", "spread", "square", "staging", "stale", "standard", "static",
		"stdin", "steep", "stern", "stickier", "sticky", "stiff", "stock", "stolen", "straight", "straightforward", "strange", "strict", "stricter", "string", "strings",
		"stronger", "strongest", "stuck", "stupid", "subpar", "subtle", "such", "sufficient", "suited", "sunday", "super", "superb", "superfluous", "superior", "supple",
		"sure", "suspect", "swept", "swift", "symmetric", "synced", "taken", "tame", "tardy", "tasty", "taught", "tedious", "temporary", "tense", "terrible", "testing",
		"text", "than", "theirs", "then", "therefore", "these", "they", "they're", "thicker", "thin", "thorny", "those", "though", "thought", "through", "throughout",
		"thrown", "thursday", "thus", "tidier", "tidy", "tied", "tight", "tighter", "time", "timid", "tiny", "toast", "today", "todo", "together", "told", "toml",
		"tomorrow", "tonight", "torn", "tough", "tougher", "toward", "towards", "toxic", "transient", "trash", "trickier", "tricky", "trivial", "truncate", "trustworthy",
		"truthy", "tuesday", "twice", "twofold", "type", "typed", "uglier", "ugly", "ultimate", "unclear", "under", "underneath", "underway", "undone", "unicode", "unique",
		"unlike", "unset", "until", "upfront", "uphill", "upon", "upper", "uppercase", "upstream", "usable", "use", "used", "useful", "useless", "user", "usual", "utf",
		"vague", "vain", "valuable", "vast", "vault", "verbatim", "verbose", "versus", "very", "via", "vital", "vivid", "void", "volatile", "vulnerable", "warm", "wary",
		"wasted", "wasteful", "weaker", "weakest", "weary", "wednesday", "weekly", "weighty", "weird", "well", "wet", "what", "whatever", "where", "whereas", "whereby",
		"wherever", "whether", "whichever", "while", "whoever", "whole", "wicked", "widely", "wider", "wild", "wiped", "wise", "with", "withdrawn", "within", "without",
		"witty", "wobbly", "won", "wonky", "working", "works", "worn", "worrisome", "worse", "worst", "worthless", "worthwhile", "worthy", "write-only", "written", "wrong",
		"xml", "yaml", "yearly", "yes", "yesterday", "yours", "zero":
		return true
	case // German
		"acht", "aktiv", "aktuell", "alle", "allen", "alles", "alt", "anders", "auch", "außen", "bei", "beide", "beim", "bekannt", "bereits", "besser", "billig", "bitte",
		"blöd", "brav", "breit", "bunt", "böse", "daher", "damit", "danach", "dann", "darin", "dasselbe", "defekt", "dein", "deins", "deren", "derselbe", "deutlich", "dick",
		"doppelt", "dort", "drei", "dreimal", "drin", "dumm", "dunkel", "durch", "durcheinander", "dünn", "ebenfalls", "ebenso", "echt", "egal", "eher", "eigentlich",
		"eindeutig", "eine", "einem", "einen", "einer", "eines", "einmal", "eng", "erst", "etwas", "euer", "eure", "extern", "fast", "faul", "fehlt", "fein", "fest", "fix",
		"flach", "frei", "frisch", "futsch", "fällig", "fünf", "ganz", "gegen", "geheim", "genau", "gerade", "gestern", "gleich", "groß", "gut", "hart", "heiß", "hell",
		"heute", "hier", "hinüber", "hundert", "ihr", "ihres", "illegal", "immer", "inaktiv", "intern", "irgendwo", "jedem", "jeder", "kalt", "kaputt", "kein", "keine",
		"keins", "klar", "klartext", "klasse", "klein", "klug", "komplett", "komplex", "konform", "korrekt", "krumm", "kryptisch", "kürzer", "langsam", "legal", "leicht",
		"leider", "lokal", "länger", "mehr", "mein", "meins", "mies", "mindestens", "mist", "morgen", "müll", "nach", "neu", "neuer", "nie", "niemals", "nirgends",
		"notwendig", "null", "nummer", "nur", "nötig", "obligat", "obsolet", "offen", "ohne", "pflicht", "prima", "privat", "quasi", "quatsch", "raus", "rein", "roh",
		"sache", "scharf", "schlecht", "schlicht", "schnell", "schon", "schrott", "schwach", "schwer", "schwächer", "sechs", "sehr", "sein", "seins", "selbst", "separat",
		"sicher", "sicherer", "siehe", "simpel", "sofort", "solches", "solide", "stabil", "stark", "statisch", "steif", "stets", "streng", "stumpf", "stärker", "tabu",
		"teil", "temporär", "teuer", "toll", "tot", "unbekannt", "uns", "unser", "unsers", "unten", "unter", "veraltet", "viel", "vier", "vom", "voraussetzung", "vorbei",
		"vorhanden", "wach", "wahr", "weg", "weich", "weit", "weiter", "welches", "wertlos", "wirklich", "wohl", "zehn", "zeichen", "zufall", "zuletzt", "zum", "zur",
		"zwei", "zweimal", "zwölf", "zäh", "älter", "öfter", "übel", "über", "überall", "überfällig":
		return true
	case // French
		"absente", "access", "actif", "ailleurs", "ainsi", "alors", "ancien", "ancienne", "après", "assez", "atteint", "atteinte", "aussi", "autre", "avant", "avec",
		"basse", "beaucoup", "bien", "bientôt", "bizarre", "bon", "bonjour", "bonne", "brut", "brute", "bénin", "caduc", "caduque", "cassé", "cassée", "cela", "celle",
		"celui", "cher", "chez", "chiffré", "choisi", "chère", "cinq", "clair", "claire", "comme", "complet", "complexe", "complète", "confidentiel", "confidentielle",
		"conforme", "connu", "connue", "correct", "correcte", "court", "courte", "dans", "dedans", "demain", "demander", "depuis", "derrière", "devant", "différent",
		"distincte", "donc", "donné", "douze", "durable", "déjà", "désactivé", "désuet", "effacé", "efficace", "encore", "enfin", "enregistré", "entre", "exacte", "expiré",
		"facile", "faible", "faite", "fausse", "faux", "fixe", "fort", "frais", "fraîche", "grand", "gros", "grosse", "haché", "haut", "haute", "huit", "ici", "identique",
		"inconnu", "inefficace", "inutile", "invalide", "jamais", "juste", "large", "leur", "libre", "limite", "lisible", "loin", "long", "longue", "lors", "lourd",
		"lourde", "manquant", "meilleur", "meilleure", "mien", "mieux", "moins", "mort", "morte", "muette", "même", "neuf", "neuve", "nickel", "notre", "nouveau", "nul",
		"nulle", "nécessaire", "nôtre", "obsolète", "parfait", "parfaite", "parfois", "partout", "perdu", "perdue", "petit", "petite", "peut", "plein", "pleine", "plus",
		"plutôt", "pour", "pourri", "premier", "première", "presque", "privé", "privée", "propre", "prêt", "prête", "publique", "périmé", "quatre", "quel", "quelle",
		"quelque", "quoi", "requise", "rien", "robuste", "récent", "récente", "réel", "réelle", "sale", "salé", "sans", "secrète", "selon", "sensible", "seul", "seule",
		"sien", "sous", "souvent", "stable", "sèche", "sécurisé", "sécurisée", "sûr", "sûre", "temporaire", "tien", "tombé", "tombée", "toujours", "tout", "toute", "très",
		"utile", "valide", "vers", "vide", "vieille", "vieux", "visible", "vive", "voici", "voilà", "voir", "votre", "vrai", "vraie", "vraiment", "vôtre", "zéro", "éteint",
		"étrange":
		return true
	case // Spanish, Italian, Portuguese
		"abierta", "abierto", "ahora", "ainda", "algo", "alguna", "ambas", "ambigua", "ambiguo", "ancora", "antes", "antigua", "antiguo", "aquella", "aquí", "así", "ayer",
		"aún", "bajo", "barata", "bastante", "blanda", "breve", "buena", "bueno", "cada", "caduca", "cara", "caro", "casi", "cerca", "cero", "cierta", "cierto", "cifra",
		"cinco", "clara", "como", "compleja", "complejo", "compuesta", "compuesto", "común", "confusa", "contiguo", "correcta", "correcto", "corretta", "corrupta",
		"corrupto", "corta", "corto", "cosa", "cual", "cuando", "cuatro", "cubierta", "curta", "debe", "debole", "decir", "della", "demasiado", "desde", "después", "dicha",
		"diez", "difusa", "difícil", "disperso", "dispuesta", "distinta", "distinto", "doble", "doce", "donde", "dura", "débil", "efímera", "ella", "entera", "entero",
		"errada", "errata", "errónea", "erróneo", "esa", "escaso", "escrita", "esta", "este", "estrictamente", "está", "eterna", "exacta", "expuesta", "expuesto", "externa",
		"externo", "extraña", "extraño", "falsa", "falso", "fija", "fijo", "forte", "fraca", "frágil", "fuerte", "fácil", "grande", "grave", "guardada", "hasta", "hecha",
		"hábil", "idéntica", "igual", "incierta", "interna", "interno", "intrusa", "inválida", "inútil", "jamás", "justa", "larga", "largo", "larguísima", "lejos", "ligera",
		"ligero", "lista", "longa", "luego", "lunga", "mala", "malo", "mañana", "mejor", "menos", "mesma", "mientras", "misma", "mismo", "moderna", "moderno", "molto",
		"mucho", "muerta", "muito", "máxima", "máximo", "mía", "mínima", "mínimo", "mío", "nada", "necesaria", "necesario", "nel", "nella", "ninguna", "ningún", "nova",
		"nuestra", "nueva", "nuevo", "nula", "nunca", "obsoleta", "obsoleto", "ocho", "otra", "otro", "para", "parte", "perfecta", "pero", "plana", "plano", "plena",
		"pobre", "poco", "posible", "primera", "primero", "propia", "puede", "pues", "puesta", "pésima", "pésimo", "quizás", "rara", "remoto", "resuelta", "robusta",
		"robusto", "rota", "roto", "sbagliata", "scaduta", "secreta", "segura", "seguras", "seguro", "según", "seis", "semejante", "sempre", "sencilla", "siempre", "sobre",
		"solo", "stata", "stessa", "suficiente", "suya", "suyo", "sólida", "sólo", "tan", "tanto", "temporal", "tercera", "texto", "toda", "triste", "troppo", "usada",
		"vacía", "vacío", "valor", "vazia", "velha", "verdadera", "verdadero", "vieja", "viejo", "vista", "viva", "vivo", "vuestra", "vuota", "válida", "válido", "ágil",
		"óptima", "óptimo", "última", "último", "única", "único", "útil":
		return true
	}
	return false
}

// KnownPassword reports whether a plain word is a password that devices come with or that
// stands in every list of them.
func KnownPassword(low string) bool {
	switch low {
	case "toor", "raspberry", "calvin", "alpine", "ubnt", "dietpi", "vagrant", "letmein", "swordfish", "opensesame", "hunter", "qwerty", "qwertz", "azerty", "iloveyou", "trustno",
		"monkey", "dragon", "changeit", "minioadmin", "cisco", "kali", "osboxes", "tomcat", "manager", "s3cret", "superuser", "supervisor", "rockyou", "welcome", "sunshine",
		"princess", "football", "baseball", "shadow", "batman", "superman", "starwars", "whatever", "freedom", "hottie", "passw0rd", "geheim", "schatz", "motdepasse", "secreto":
		return low != "manager" && low != "whatever" && low != "supervisor"
	}
	return false
}

// CalledSo reports whether a word, in lower case, stands for what a user or a role is rather
// than for one: "credentials: user / group".
func CalledSo(low string) bool {
	switch low {
	case "user", "users", "username", "name", "email", "mail", "login", "group", "groups", "role", "roles", "host", "client", "server", "operator", "viewer", "editor", "owner",
		"guest", "member", "account", "id", "profile", "session", "cookie", "file", "files", "env", "oauth", "saml", "header", "benutzer", "nutzer", "gruppe", "rolle", "konto",
		"utilisateur", "groupe", "compte", "usuario", "grupo", "cuenta", "sudo", "none", "basic", "digest", "bearer", "database", "cache", "read", "write", "yes", "no":
		return true
	}
	return false
}
