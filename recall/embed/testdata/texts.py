"""The texts of the reference: made here, from words and patterns of our own, so that
everybody may have them. texts() is a list of (kind, text), the same on every machine."""
import random

PEOPLE = "Ada Ben Chloé Dmitri Elif Farid Grace Hiro Inés Jürgen Kofi Lena".split()
THINGS = """the token cache|the login page|our staging database|the retry loop|the nightly build|a broken symlink
the billing export|the search index|the old API|the upload queue|the mobile app|the rate limiter|the migration
the test fixtures|the deploy script|a flaky test|the feature flag|the session cookie|the worker pool|the changelog""".replace("\n", "|").split("|")
DOES = """keeps failing on Fridays|was rewritten last week|must not run twice|takes 40 seconds|belongs to another team|leaks memory
has to be rotated every hour|is only needed on Windows|returns 502 under load|should be removed before 2.0|needs a second pair of eyes
works, but nobody knows why|waits for a lock that is never released|costs us 300 euros a month|is documented in the wiki""".replace("\n", "|").split("|")
ASKS = """How do I|Why does it|When should we|Who can|Is it safe to|What happens if I|Can you please|Remind me to""".split("|")
ACTS = """restart the worker|roll back the release|reuse the connection|squash these commits|mock the clock|pin the version
delete old snapshots|raise the timeout to 30s|encrypt the backups|split this function|run the linter in CI""".replace("\n", "|").split("|")
TALK = """I thought we agreed on that in March.|Let me check.|lol no|Sure, go ahead!|Not today...|that's what she said, too|+1
OK.|See #1423 for why.|we tried it twice & gave up|Sorry, I meant the other one.|It depends on the size.""".replace("\n", "|").split("|")
NAMES = "parse load_file handleRequest getUser tokenBucket fetch_all CacheKey isValid merge_sorted retryAfter".split()
TYPES = "int string []byte error map[string]int bool float64".split()

CODE = [
    "func {a}({b} {t}) ({u}, error) {{\n\tif {b} == nil {{\n\t\treturn nil, fmt.Errorf(\"{a}: %w\", err)\n\t}}\n\treturn {c}({b}), nil\n}}",
    "def {a}({b}, *, limit={n}):\n    \"\"\"Return at most limit of {b}.\"\"\"\n    return [x for x in {c}({b}) if x is not None][:limit]",
    "export async function {a}({b}) {{\n  const r = await fetch(`/api/{c}/${{{b}.id}}`);\n  if (!r.ok) throw new Error(r.statusText);\n  return r.json();\n}}",
    "impl<'a> {C} for {A}<'a> {{\n    fn {a}(&mut self, {b}: &str) -> Option<u{n}> {{ self.{c}.get({b}).copied() }}\n}}",
    "SELECT {a}, COUNT(*) FROM {b} WHERE {c} >= {n} GROUP BY {a} HAVING COUNT(*) > 1;",
    "for f in *.{b}; do\n  {a} \"$f\" | grep -c '{c}' >> out.{n}.txt || exit 1\ndone",
    "public final class {A} {{ private final Map<String, {C}> {b} = new HashMap<>({n}); }}",
    "#define {A}({b}) (({b}) << {n} | 0x{n:x})",
    "{{\"{a}\": {{\"{b}\": [1, {n}, null], \"{c}\": true}}}}",
    "{a}:\n  - {b}: '{c}'\n    retries: {n}  # see {A}",
    "diff --git a/{a}.go b/{a}.go\n@@ -{n},7 +{n},9 @@\n-\tx := {b}()\n+\tx, err := {c}(ctx)",
    "assert_eq!({a}(&[{n}, 2, 3]), Err({C}::{A}));",
]
LOGS = [
    "2026-03-{n:02d}T10:15:{n:02d}Z ERROR {a}: connection to 10.0.{n}.7:5432 refused (attempt {n})",
    "panic: runtime error: index out of range [{n}] with length 3\n\ngoroutine 1 [running]:\nmain.{a}()\n\t/src/{b}.go:{n} +0x1d",
    "/usr/local/lib/{a}/{b}-{n}.so.2", "https://example.org/{a}/{b}?{c}={n}&utm=none#top", "{a}@{b}.example.com", "v{n}.{n}.0-rc1+{a}",
    "feat({a}): {b} {c} (#{n})", "C:\\Users\\{a}\\AppData\\{b}_{n}.log", "0x{n:08x} -{n}e-3 1.{n}_000 {n}%",
]
MARKDOWN = [
    "## {x}\n\n- [ ] {y}\n- [x] **{z}**\n\n> {x} {y}", "| {x} | {y} |\n| --- | --- |\n| {z} | `{z}` |", "1. {x}\n2. {y}\n\n```sh\nmake {z}\n```", "*{x}* and _{y}_, see [{z}](docs/{z}.md).",
]
EUROPE = [
    "Der Zugriffsschlüssel läuft nach {n} Minuten ab, größere Änderungen müssen übermorgen geprüft werden.",
    "Où est passée la clé d'accès que François a créée l'été dernier ? Ça coûte {n} €.",
    "¿Por qué falla la migración los viernes? El índice tardó {n} segundos: ¡qué lío!",
    "Nãο há solução simples: a função não é chamada {n} vezes.", "Zażółć gęślą jaźń, wersja {n}.", "Příliš žluťoučký kůň úpěl ďábelské ódy {n}×.",
    "İstanbul'da {n} sunucu çöktü, ığdır'da hiç.", "Ελληνικά: το ευρετήριο ξαναχτίζεται κάθε {n} λεπτά;", "Почему сборка падает каждые {n} минут? Съёмка ёлки.", "Nguyễn đã sửa lỗi số {n} hôm qua.",
]
CJK = [
    "缓存在第{n}次请求后失效,请检查令牌是否过期。", "為什麼資料庫遷移需要{n}分鐘?", "テストは{n}回に一回失敗する。原因はロックの順序です。", "ｶﾀｶﾅ とﾊﾝｶｸ　と全角ＡＢＣ{n}", "東京のサーバーを再起動してください。",
    "빌드가 {n}분 걸립니다. 왜 그런가요?", "한국어 토큰화 시험 {n}번", "我们 use Redis 作为 cache, 不要 delete 它 {n}", "『羅生門』「{n}」〜々〇", "豈更車賈 {n}",
]
ARABIC = ["لماذا يفشل الاختبار كل {n} أيام؟", "انتهت صلاحية الرمز بعد {n} دقيقة، أعد المحاولة.", "מדוע הבנייה נכשלת {n} פעמים? שָׁלוֹם", "چرا پایگاه داده {n} ثانیه کند است؟", "السَّلامُ عَلَيْكُمْ {n}"]
INDIC = ["ทำไมการทดสอบล้มเหลว {n} ครั้ง", "โทเค็นหมดอายุใน {n} นาที กรุณาลองใหม่", "परीक्षण {n} बार विफल क्यों होता है?", "டோக்கன் {n} நிமிடங்களில் காலாவதியாகும்", "টোকেন {n} মিনিটে মেয়াদ শেষ", "ႏ္ မြန်မာ {n}", "ភាសាខ្មែរ {n}"]
EMOJI = ["🎉 shipped {n}!", "👩‍💻👨🏽‍🔧 on it", "❤️‍🔥🔥🔥 {n}", "🇩🇪🇯🇵🇧🇷", "¯\\_(ツ)_/¯ {n}", "👍🏿 lgtm 🚀🚀", "1️⃣2️⃣{n}️⃣", "(╯°□°）╯︵ ┻━┻", "♻️ refactor {n} ✅ ❌ ⚠️", "😀😃😄😁{n}"]
ODD = [
    "", " ", "\n\n\t", "a", ".", "?!?!", "...", "-", "\u0000", "a\u0000b\u0007c", "\ufeffwith a mark", "zero\u200bwidth\u200djoiner", "soft\u00adhyphen", "\u202eright to left",
    "e\u0301 as two, é as one, e\u0301\u0323\u0302 as four", "Å Å Å", "ﬁ ﬀ ŒŒ ß ẞ ŉ", "½ ² ³ ① Ⅷ ㎏", "ſhort long s", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "＜ｆｕｌｌ　ｗｉｄｔｈ＞", "\u3000 \u2003 \u00a0spaces\u2028lines\u2029",
    "\ufffd replaced", "𝕳𝖊𝖑𝖑𝖔 𝓦𝓸𝓻𝓵𝓭", "𐍈𐌰𐌿 Gothic", "\U0001f9ff\U0001fae8", "x" * 100, "y" * 101, "##ing ##ed [unused1]", "don't can't won't y'all'd've", "e.g. i.e. a.k.a. U.S.A.", "__init__ --force -rf ~/.*", "£$€¥₹ ±×÷≈≠∞ ←→⇒", "ǅ Ǆ ǆ ΑΣΑΣ σς", "َُِ", "ॐ ۞ ﷽",
]


def texts():
    rnd = random.Random(5)

    def one(l):
        return l[int(rnd.random() * len(l))]

    def names():
        a, b, c = one(NAMES), one(NAMES), one(NAMES)
        return dict(a=a, b=b, c=c, A=a.title().replace("_", ""), C=c.title().replace("_", ""), t=one(TYPES), u=one(TYPES), n=1 + int(rnd.random() * 99))

    out = [("odd", t) for t in ODD]
    for _ in range(110):
        out.append(("chat", f"{one(PEOPLE)}: {one(THINGS)} {one(DOES)}. {one(TALK)}" if rnd.random() < .6 else f"{one(TALK)} {one(THINGS).capitalize()} {one(DOES)}, {one(PEOPLE)} says."))
    for _ in range(45):
        out.append(("question", f"{one(ASKS)} {one(ACTS)} when {one(THINGS)} {one(DOES)}?"))
    for i in range(96):
        out.append(("code", CODE[i % len(CODE)].format(**names())))
    for i in range(45):
        out.append(("log", LOGS[i % len(LOGS)].format(**names())))
    for i in range(28):
        out.append(("markdown", MARKDOWN[i % len(MARKDOWN)].format(x=one(THINGS), y=one(ACTS), z=one(NAMES))))
    for kind, patterns, n in ("europe", EUROPE, 40), ("cjk", CJK, 50), ("arabic", ARABIC, 25), ("indic", INDIC, 28), ("emoji", EMOJI, 30):
        for i in range(n):
            out.append((kind, patterns[i % len(patterns)].format(n=1 + int(rnd.random() * 9999))))
    for i in range(14):
        out.append(("long word", "".join(one(NAMES).capitalize() for _ in range(2 + i))))
    for i in range(8):
        out.append(("long", " ".join(f"{one(THINGS)} {one(DOES)}." for _ in range(15 + 8 * i))))
    return out
