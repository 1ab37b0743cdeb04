package compare

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose/terms"
)

// In what a summary may depart from what it sums up, beside the kinds of [Statements].
const (
	inUnits = "units"
	inWords = "words"
)

// Distorts names in what a summary says otherwise than the words that it sums up, as far as
// words tell; "" if it does not. Unlike two statements that are compared, a summary may leave
// something out, and say from elsewhere what those words leave out: only what stands in the
// place of something else is told.
//
// What is denied is not looked at here: that takes the grammar of a language.
func Distorts(said, summary string) string {
	said, summary = spaced(said), spaced(summary)
	x, y := wordsOf(said), wordsOf(summary)
	from, to := swappedNames(said, summary)
	switch {
	case len(numbersApart(x, y)) > 0:
		return inNumbers
	case unitsApart(x, y):
		return inUnits
	case haveOpposites(x, y):
		return inOpposite
	case differInClass(x, y, demanding(), allowing()), differInClass(x, y, allOf(), someOf()):
		return inStrength
	case len(from) == 1 && len(to) == 1 && replaced(x, y, from[0], to[0]):
		return inNames
	case areTurned(x, y):
		return inOrder
	case oneReplaced(said, summary, x, y):
		return inWords
	}
	return ""
}

// spaced divides numbers from their units, and joins them with a sign of percent.
func spaced(s string) string {
	s = amounts().ReplaceAllString(s, "$1 $2")
	return strings.NewReplacer(" %", "%", "\u00a0%", "%", "\u202f%", "%").Replace(s)
}

var amounts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(\d+)(\pL+)`) })

// unitsApart reports whether a number that both texts have is of another unit in each.
func unitsApart(x, y []string) bool {
	ours := amountsOf(x)
	for n, unit := range amountsOf(y) {
		if u, ok := ours[n]; ok && u != unit {
			return true
		}
	}
	return false
}

// amountsOf are the units that stand behind numbers; of a number that has several, none.
func amountsOf(words []string) map[string]string {
	out := map[string]string{}
	for i, w := range words[:max(0, len(words)-1)] {
		unit := unitWords()[words[i+1]]
		if unit == "" || !strings.ContainsAny(w, "0123456789") {
			continue
		}
		if had, ok := out[w]; ok && had != unit {
			unit = ""
		}
		out[w] = unit
	}
	for n, unit := range out {
		if unit == "" {
			delete(out, n)
		}
	}
	return out
}

// unitWords are the words for one unit each, a line.
var unitWords = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(`ms millisecond milliseconds millisekunden millisekunde millisecondes milisegundos milissegundos мс миллисекунд 毫秒 ミリ秒
		s sec secs second seconds sekunde sekunden seconde secondes segundo segundos с сек секунд секунды секунда 秒
		min mins minute minutes minuten minuto minutos мин минут минуты минута 分 分钟 分鐘
		h hr hrs hour hours stunde stunden heure heures hora horas ч час часа часов 小时 時間
		d day days tag tage tagen jour jours día días dia dias день дня дней 天 日
		week weeks woche wochen semaine semaines semana semanas неделя недели недель 周 週間
		month months monat monate monaten mois mes meses mês месяц месяца месяцев 个月 ヶ月
		year years jahr jahre jahren an ans année années año años ano anos год года лет 年
		kb kib ko
		mb mib mo мб
		gb gib go гб
		tb tib to тб
		% percent prozent pourcent проц`) {
		words := strings.Fields(line)
		for _, w := range words {
			out[w] = words[0]
		}
	}
	return out
})

// replaced reports whether a name stands where the other text has another, with the same
// words around it: one of them before or behind it.
func replaced(x, y []string, from, to string) bool {
	around := func(words []string, name string) []string {
		i := slices.Index(words, name)
		if i < 0 {
			return nil
		}
		return terms.Of(strings.Join(slices.Concat(words[max(0, i-4):i], words[i+1:min(len(words), i+5)]), " "))
	}
	near := around(y, to)
	return slices.ContainsFunc(around(x, from), func(w string) bool { return slices.Contains(near, w) })
}

// oneReplaced reports whether two texts are one sentence in which one word stands in the
// place of another.
func oneReplaced(a, b string, x, y []string) bool {
	if len(x)*len(y) > longestCompared {
		return false
	}
	ours, theirs := countsOf(terms.Of(a)), countsOf(terms.Of(b))
	fresh, gone := lacking(theirs, ours), lacking(ours, theirs)
	return len(fresh) == 1 && len(gone) == 1 && 10*common(x, y) >= 6*max(len(x), len(y))
}
