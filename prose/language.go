package prose

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A Lang is a language, by its two letters; "" is one that is not known.
type Lang string

const (
	English    Lang = "en"
	German     Lang = "de"
	French     Lang = "fr"
	Spanish    Lang = "es"
	Portuguese Lang = "pt"
	Russian    Lang = "ru"
	Chinese    Lang = "zh"
	Japanese   Lang = "ja"
)

// Language is the language that a Markdown text is in, as far as its first lines tell; ""
// if they do not.
func Language(text string) Lang { return languageOf(blocksOf(text[:min(len(text), mostTelling)])) }

// mostTelling is how much of a text is looked at for its language, in bytes.
const mostTelling = 4 << 10

func languageOf(blocks []block) Lang {
	c := letters{}
	for _, b := range blocks {
		if c.bytes += len(b.text); c.bytes > mostTelling {
			break
		}
		c.count(b.text)
	}
	switch {
	case c.kana > 0 && 8*c.kana >= c.han && c.carries(3*(c.kana+c.han)):
		return Japanese
	case c.han > 0 && c.carries(3*c.han):
		return Chinese
	case c.cyrillic > 0 && c.carries(2*c.cyrillic):
		return Russian
	}
	return c.byWords()
}

// letters are how many a text has of each script, outside of code, and the small words of
// each language that writes in Latin ones.
type letters struct {
	bytes, latin, cyrillic, han, kana int

	small map[Lang]int
}

func (c *letters) count(s string) {
	if c.small == nil {
		c.small = map[Lang]int{}
	}
	for from := 0; from < len(s); {
		at := strings.IndexByte(s[from:], '`')
		if at < 0 {
			c.words(s[from:])
			return
		}
		c.words(s[from : from+at])
		from += at + max(1, codeSpan(s[from+at:]))
	}
}

func (c *letters) words(s string) {
	if strings.Contains(s, "'") || strings.Contains(s, "’") {
		c.small[French] += 2 * len(clitics().FindAllStringIndex(s, -1))
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		latin := c.latin
		for _, r := range w {
			switch {
			case r >= 0x3041 && r <= 0x30ff:
				c.kana++
			case unicode.Is(unicode.Han, r):
				c.han++
			case r >= 0x400 && r <= 0x52f:
				c.cyrillic++
			default:
				c.latin++
			}
		}
		if c.latin > latin {
			for _, l := range smallWords()[strings.ToLower(w)] {
				c.small[l] += 2
			}
			c.accents(w)
		}
	}
}

// clitics are what French hangs on the next word: "l'index", "qu'il".
var clitics = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(?:^|\PL)(?:[cdjlmnst]|qu)['’]\pL`) })

// accents counts letters that few languages have.
func (c *letters) accents(w string) {
	for _, r := range w {
		switch r {
		case 'ß', 'ä', 'ö', 'ü', 'Ä', 'Ö', 'Ü':
			c.small[German]++
		case 'ñ', '¿', '¡':
			c.small[Spanish] += 2
		case 'ã', 'õ':
			c.small[Portuguese] += 2
		case 'è', 'ê', 'œ', 'ù', 'î', 'û':
			c.small[French]++
		case 'ó', 'í', 'ú':
			c.small[Spanish]++
			c.small[Portuguese]++
		}
	}
}

// carries reports whether a script of that weight holds the text: it outweighs the Latin
// letters, or these are names alone and no small word stands among them.
func (c *letters) carries(weight int) bool { return weight >= c.latin || c.byWords() == "" }

// byWords is the language whose small words the text has most of.
func (c *letters) byWords() (best Lang) {
	most := 0
	for _, l := range []Lang{English, German, French, Spanish, Portuguese} {
		if n := c.small[l]; n > most {
			best, most = l, n
		}
	}
	return best
}

// SmallWords are the words of a text that any text of its language has, as they are written.
func SmallWords(text string) (out []string) {
	l := Language(text)
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if slices.Contains(smallWords()[strings.ToLower(w)], l) {
			out = append(out, w)
		}
	}
	return out
}

// smallWords are those that any text of a language has, each with its languages.
var smallWords = sync.OnceValue(func() map[string][]Lang {
	out := map[string][]Lang{}
	for l, list := range map[Lang]string{
		English: `a the of and to in is are was were be been it its that this these those with for on at by from as not no yes we you they he she i my our your their have has had
			do does did will would can could should must may but or if then so because which who what when where how why there here into out up down only also than more all any each
			let lets please ok okay don doesn isn it's that's i'm we'll go going used make sure sounds good thanks remember keep`,
		German: `der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren wird werden wurde wurden hat haben hatte ich du er sie es wir ihr
			mit von zu zum zur im am an auf aus bei nach vor für über unter durch gegen ohne um bis dass weil wenn als wie was wer wo warum auch noch nur schon so dann doch mal bitte ja nein
			machen mach nehmen nimm lass uns sich sein kann können muss müssen soll sollen darf dürfen genau klingt gut gerne einverstanden danke steht gibt wenn nun ganz merk denk daran immer nie jetzt also hier ab`,
		French: `le la les un une des du de et ou mais ne pas plus est sont était étaient sera être a ont avait avoir je tu il elle nous vous ils elles on ce cette ces cet mon ton son notre votre leur
			avec pour par sur dans sans sous entre vers chez que qui quoi dont où quand comment pourquoi parce si donc alors aussi encore très bien oui non merci d'accord accord faut peut doit
			fait faire va vas-y allons y quoi ton toujours jamais au aux en puis ça cela voilà vas note rappelle souviens`,
		Spanish: `el la los las un una unos unas y o pero no es son era fue fueron ser está están estaba ha han había haber yo tú él ella nosotros ustedes ellos me te se nos lo le les
			con para por en de del al sin sobre entre hasta desde que quien cual cuando como donde porque si entonces también más muy ya aún sólo solo sí gracias vale de acuerdo vamos
			hazlo usemos hay puede debe tiene hacer eso esto esta este esa ese su sus mi mis nuestro nuestra a siempre nunca recuerda recuérdame acuérdate añade apunta guarda lista tareas bien claro perfecto adelante después ahora aquí todo va voy queda quedó bueno buena qué cuál cómo`,
		Portuguese: `o a os as um uma uns umas e ou mas não é são era foi foram ser está estão estava tem têm tinha ter eu tu você ele ela nós vocês eles me se nos lhe
			com para por em de do da dos das no na nos nas ao à aos sem sobre entre até desde que quem qual quando como onde porque se então também mais muito já ainda só sim obrigado
			obrigada vamos pode deve fazer isso isto esta este essa esse seu sua meu minha nosso nossa sempre nunca lembre lembra salva salve progresso lista tarefas combinado beleza certo pelo pela num numa depois agora aqui tudo vai vou fica ficou bom boa bem`,
		Russian: `и в во не на я с со как а то все всё она так его но да ты к ко у же вы за бы по её ее мне было вот от меня еще ещё нет о об из ему теперь когда даже ну если или ни быть
			был была были до вас уже вам там потом себя ничего ей может они тут здесь где есть надо нужно можно для мы нас нам их чем сам без что чтобы это этот эта эти того почему зачем кто
			какой какая какое какие который при над под только также тоже мой наш ваш`,
	} {
		for w := range strings.FieldsSeq(list) {
			if !slices.Contains(out[w], l) {
				out[w] = append(out[w], l)
			}
		}
	}
	return out
})
