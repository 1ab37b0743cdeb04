package compare

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/terms"
)

// denying are the words that deny, besides those that end in "n't".
var denying = prose.WordSet(`not no never none nothing nobody neither nor cannot without hardly barely lacks lack lacking
	fails fail failed failing unless except instead rather avoid avoids stop stops against dont doesnt cant wont`)

var (
	demanding = prose.WordSet("must should shall will always has have required necessary")
	allowing  = prose.WordSet("may might could possibly perhaps sometimes maybe optional optionally")
	allOf     = prose.WordSet("all every each always everything entirely fully whole completely")
	someOf    = prose.WordSet("some few partly partially sometimes several mostly most occasionally part")
)

// numberWords are numbers, parts and dates that are written as words.
var numberWords = func() map[string]string {
	out := map[string]string{"once": "1x", "twice": "2x", "thrice": "3x", "half": "1/2", "quarter": "1/4", "double": "2x", "doubles": "2x", "triple": "3x"}
	for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve") {
		if w != "one" { // which is more often a pronoun
			out[w] = string(rune('0' + i%10))
			if i >= 10 {
				out[w] = "1" + out[w]
			}
		}
	}
	for _, w := range strings.Fields("hundred thousand million billion january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday hourly daily weekly monthly yearly seconds minutes hours days weeks months years milliseconds") {
		out[w] = w
		if strings.HasSuffix(w, "day") { // on Mondays
			out[w+"s"] = w
		}
	}
	return out
}()

// oppositePairs are words of which one text has the left and another the right when
// they say the contrary.
const oppositePairs = `
increase increases increased increasing raise raises raised grow grows rise rises higher up : reduce reduces reduced reducing decrease decreases decreased decreasing lower lowers lowered shrink shrinks fall falls drop drops down
faster fast quicker quick : slower slow slows
better best good improves improve : worse worst bad hurts hurt degrades degrade worsens
enable enables enabled enabling on : disable disables disabled disabling off
add adds added adding : remove removes removed removing delete deletes deleted
more : less fewer
before : after
safe secure : unsafe insecure
allow allows allowed permit permits : deny denies denied forbid forbids forbidden block blocks prevent prevents
keep keeps kept : drop drops discard discards remove removes
accept accepts accepted : reject rejects rejected refuse refuses refused
synchronous synchronously sync : asynchronous asynchronously async
client clients : server servers
public : private
possible : impossible
needed necessary required needs : unnecessary needless superfluous optional
true right correct : false wrong incorrect
first : last
early earlier : late later
cheap cheaper : expensive dearer costly
success succeeds succeed works work : fail fails failure breaks broken
open opens opened : close closes closed
read reads : write writes
read-only readonly : writable read-write
full : empty
online : offline
temporary temporarily : permanent permanently
mandatory required : optional
reachable available : unreachable unavailable
known : unknown
local : remote
manual manually : automatic automatically
high : low
strong stronger : weak weaker
large larger big bigger : small smaller
maximum max upper : minimum min lower
above over : below under
supports support confirms confirm : refutes refute contradicts contradict
causes cause caused : prevents prevent prevented
likely : unlikely
stateless : stateful
valid : invalid
mutable : immutable
push : pull
einschalten eingeschaltet aktivieren aktiviert : ausschalten ausgeschaltet abschalten abgeschaltet deaktivieren deaktiviert
erhöhen erhöht steigt gestiegen wächst : senken gesenkt verringern verringert sinkt gesunken fällt
schneller schnell : langsamer langsam
vor vorher : nach nachher danach
erlaubt zulässig : verboten unzulässig untersagt
hinzugefügt hinzufügen ergänzt : entfernt entfernen gelöscht
behalten behält : verwerfen verworfen
erster erste zuerst : letzter letzte zuletzt
größer groß : kleiner klein
mindestens : höchstens maximal
sicher : unsicher
synchron : asynchron
öffentlich : privat
activer activé activée active : désactiver désactivé désactivée désactive
augmenter augmenté augmente : réduire réduit diminuer diminué diminue baisse
rapide rapides : lent lente lents lentes
avant : après
autorisé permis : interdit interdite
ajouter ajouté ajoute : supprimer supprimé supprime retirer retiré retire
premier première : dernier dernière
plus : moins
activar activado activada activa : desactivar desactivado desactivada desactiva
aumentar aumenta aumentó sube subir : reducir reduce redujo baja bajar disminuir disminuye
rápido rápida : lento lenta
antes : después depois
permitido : prohibido proibido
añadir añadido agregar agregado : eliminar eliminado quitar quitado
primero primera primeiro primeira : último última
más mais : menos
ativar ativado ativada ativa : desativar desativado desativada desativa
aumentou : reduzir reduziu diminuir diminuiu
включить включён включен включена включено включены включаем : выключить выключен выключена выключено выключены выключаем отключить отключён отключен отключено отключаем
увеличить увеличен увеличили растёт выросло : уменьшить уменьшен уменьшили снизить снизили падает упало
быстрее быстро : медленнее медленно
до : после
разрешено можно : запрещено нельзя
добавить добавлен добавили добавлено : удалить удалён удален удалили удалено убрать убрали
启用 开启 打开 : 禁用 停用 关闭
增加 提高 上升 增大 : 减少 降低 下降 减小
之前 : 之后
允许 : 禁止
添加 新增 : 删除 移除
同步 : 异步
最多 : 最少 至少
有効 : 無効
増加 増やす : 減少 減らす
追加 : 削除
以前 : 以後`

var opposites = sync.OnceValue(func() [][2][]string {
	var out [][2][]string
	for line := range strings.Lines(oppositePairs) {
		if a, b, ok := strings.Cut(line, ":"); ok {
			out = append(out, [2][]string{stemmed(strings.Fields(a)), stemmed(strings.Fields(b))})
		}
	}
	return out
})

// wordsOf are the words of a text in lower case, with the apostrophes within them.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("'’.,_/%-", r)
	})
	var out []string
	for _, w := range words {
		if w = strings.Trim(w, "'’.,-/"); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// stemmed are the words and their stems: of stop words, which stand for nothing in a
// search, there are none.
func stemmed(words []string) []string {
	out := slices.Clone(words)
	for _, w := range words {
		out = append(out, terms.Of(w)...)
	}
	return out
}

func stemsOf(words []string) map[string]int { return countsOf(stemmed(words)) }

// namesDiffer reports whether two texts have other names, or the same in another
// order, which turns "A rather than B" round. A name is a word with a capital that
// does not stand at the beginning of a sentence in both texts, or with one inside.
func namesDiffer(a, b string) bool {
	inA, inB := namesOf(a), namesOf(b)
	known := map[string]bool{}
	for _, list := range [][]name{inA, inB} {
		for _, n := range list {
			known[n.word] = known[n.word] || !n.first
		}
	}
	pick := func(list []name) (out []string) {
		for _, n := range list {
			if known[n.word] && !slices.Contains(out, n.word) {
				out = append(out, n.word)
			}
		}
		return out
	}
	return !slices.Equal(pick(inA), pick(inB))
}

// A name is a word with a capital.
type name struct {
	word  string
	first bool // only because a sentence begins with it
}

func namesOf(text string) (out []name) {
	for _, s := range prose.Split(text, "") {
		start := true
		for w := range strings.FieldsSeq(s) {
			bare := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			upper := strings.IndexFunc(bare, unicode.IsUpper)
			if upper >= 0 && bare != "I" {
				inside := strings.IndexFunc(bare[1:], unicode.IsUpper) >= 0
				out = append(out, name{strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(bare, "'s"), "’s")), start && !inside})
			}
			start = strings.HasSuffix(w, ":")
		}
	}
	return out
}
