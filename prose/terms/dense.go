package terms

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Of scripts without spaces a document holds every two letters that stand together, and
// each ideograph alone. What is asked for is less: 登录为什么慢 asks for 登录 and 慢, not for
// 录为 and 么慢, which no answer has. Since a document holds all of it, a word that is cut
// wrongly costs a little precision and hides nothing, and the lists below may change
// without an index being built again.

// functionWords are those of Chinese and Japanese that tell nothing of what a question is
// about, as stop words are in English.
const functionWords = `
为什么 為什麼 为什麽 为何 為何 为啥 怎么样 怎麼樣 怎么办 怎麼辦 怎么 怎麼 怎样 怎樣 如何 什么时候 什麼時候 什么 什麼 啥 何时 何時
哪里 哪裡 哪儿 哪个 哪個 哪些 哪 谁 誰 多少 多久 几个 吗 嗎 呢 吧 啊 是不是 有没有 有沒有 能不能 会不会 要不要 可不可以 是否 可以 能否
这么 這麼 那么 那麼 这个 這個 那个 那個 这些 這些 那些 这样 這樣 那样 那樣 这里 這裡 那里 那裡 这 這 那
我们 我們 你们 你們 他们 他們 它们 它們 咱们 我 你 您 他 她 它 一个 一個 一下 一些 请问 請問 请 請
因为 因為 所以 但是 如果 的话 的話 由于 由於 关于 關於 没有 沒有 不能 不会 不會 应该 應該 还是 還是 或者 以及 的 了 是 在 很 太 都 也 就 和 与 與 把 被 非常
なぜ 何故 どうして どのように どうやって どうすれば どうすると どうなって どうなる どう どこ どの どれ どんな いつ だれ なに なん 何時 何 誰
ですか ますか でしょうか でしょう です ました ません ましょう ます でした だった している しています していた します しました しない して した する
されて される できる できます できない ください ための ため こと もの とき について として という とは には では のは のが のを のに から まで より ので のか`

// wholeWords hold a letter of one that tells nothing, and are none.
const wholeWords = `目的 目标 了解 存在 在线 在線 在途 其他 参与 參與 与门 和解 饱和 飽和 总和 總和 成都 首都 都市 就绪 就緒 就近 迁就 被动 被動 把手 把柄 自我 太阳 太陽 非常规 标的 那霸`

var denseWords = sync.OnceValues(func() (words map[string]bool, longest int) {
	words = map[string]bool{} // whether it is a function word
	for i, list := range []string{wholeWords, functionWords} {
		for _, w := range strings.Fields(list) {
			words[w] = i == 1
			longest = max(longest, utf8.RuneCountInString(w))
		}
	}
	return words, longest
})

// asked adds the terms of a run that a question has: every two neighbouring letters of
// what function words and inflections leave, and an ideograph that stands alone.
func asked(out []string, text string) []string {
	letters := []rune(text)
	if len(letters) == 1 {
		if function, known := lookup(text); known && function {
			return out
		}
		return append(out, text)
	}
	for _, piece := range pieces(letters) {
		switch {
		case len(piece) > 1:
			out = pairs(out, string(piece))
		case unicode.Is(unicode.Han, piece[0]):
			out = append(out, string(piece))
		}
	}
	return out
}

func lookup(w string) (function, known bool) {
	words, _ := denseWords()
	function, known = words[w]
	return function, known
}

// leastKana is how many hiragana in a row are a word, beside ideographs and katakana: less
// is the inflection of what stands before, or a particle.
const leastKana = 4

// pieces cuts a run at the function words in it, longest first, and then each piece at its
// inflections.
func pieces(letters []rune) (out [][]rune) {
	_, longest := denseWords()
	mixed := false // hiragana alone are words
	for _, r := range letters {
		mixed = mixed || unicode.In(r, unicode.Han, unicode.Katakana)
	}
	from := 0
	end := func(i int) {
		if i > from {
			out = append(out, stems(letters[from:i], mixed)...)
		}
	}
	for i := 0; i < len(letters); {
		n, function := 1, false
		for size := min(longest, len(letters)-i); size > 0; size-- {
			if f, known := lookup(string(letters[i : i+size])); known {
				n, function = size, f
				break
			}
		}
		if function {
			end(i)
			from = i + n
		}
		i += n
	}
	end(len(letters))
	return out
}

// stems cuts a piece at its inflections.
func stems(piece []rune, mixed bool) (out [][]rune) {
	for from := 0; from < len(piece); {
		kana := unicode.Is(unicode.Hiragana, piece[from])
		to := from + 1
		for to < len(piece) && unicode.Is(unicode.Hiragana, piece[to]) == kana {
			to++
		}
		if !kana || !mixed || to-from >= leastKana {
			out = append(out, piece[from:to])
		}
		from = to
	}
	return out
}

// ideographs adds each of text.
func ideographs(out []string, text string) []string {
	for i, r := range text {
		if n := utf8.RuneLen(r); unicode.Is(unicode.Han, r) && n < len(text) { // alone it is one already
			out = append(out, text[i:i+n])
		}
	}
	return out
}
