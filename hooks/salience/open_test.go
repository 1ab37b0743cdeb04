package salience

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// What an answer leaves open is an open question of the record, whatever words of the language
// say so, and no evidence.
func TestWhatIsLeftOpenIsAQuestion(t *testing.T) {
	for _, s := range []string{
		"What remains open is whether the mirror keeps its certificates.",
		"It is still unclear who renews the certificate of the mirror.",
		"We don't know yet how long the mirror keeps its packages.",
		"Whether the mirror survives a restart has not been tested.",
		"I couldn't verify that the mirror reads the new certificates.",

		"Offen bleibt, ob der Spiegel seine Zertifikate behält.",
		"Unklar ist, wer das Zertifikat des Spiegels erneuert.",
		"Wie lange der Spiegel Pakete behält, wissen wir nicht.",
		"Ob der Spiegel einen Neustart übersteht, ist nicht getestet.",
		"Ich konnte nicht prüfen, ob der Spiegel die neuen Zertifikate liest.",

		"Reste à savoir si le miroir garde ses certificats.",
		"On ignore qui renouvelle le certificat du miroir.",
		"Il n'est pas clair combien de temps le miroir garde les paquets.",
		"Nous n'avons pas testé si le miroir survit à un redémarrage.",
		"Je n'ai pas pu vérifier que le miroir lit les nouveaux certificats.",

		"Queda por saber si el espejo conserva sus certificados.",
		"No está claro quién renueva el certificado del espejo.",
		"Aún no sabemos cuánto tiempo guarda los paquetes el espejo.",
		"Falta comprobar si el espejo sobrevive a un reinicio.",
		"No he podido comprobar que el espejo lea los certificados nuevos.",

		"Resta saber se o espelho mantém os certificados.",
		"Não está claro quem renova o certificado do espelho.",
		"Ainda não se sabe por quanto tempo o espelho guarda os pacotes.",
		"Falta testar se o espelho sobrevive a uma reinicialização.",
		"Não consegui verificar se o espelho lê os certificados novos.",

		"Остаётся выяснить, сохраняет ли зеркало свои сертификаты.",
		"Непонятно, кто продлевает сертификат зеркала.",
		"Мы пока не знаем, как долго зеркало хранит пакеты.",
		"Не проверено, переживёт ли зеркало перезапуск.",
		"Я не смог проверить, читает ли зеркало новые сертификаты.",

		"还不清楚镜像会不会保留自己的证书。",
		"谁来续期镜像的证书还没定下来。",
		"目前不知道镜像会把软件包保留多久。",
		"镜像重启后能否正常工作还有待验证。",
		"我没能确认镜像是否读取新的证书。",

		"ミラーが証明書を保持するかどうかはまだ分かりません。",
		"ミラーの証明書を誰が更新するかは決まっていません。",
		"ミラーがパッケージをどのくらい保持するかは不明です。",
		"再起動後にミラーが動くかは確認できていません。",
		"ミラーが新しい証明書を読むかどうかは検証できませんでした。",
	} {
		k := newTalk(t)
		k.person("mirror/config.yaml")
		k.tool("Edit", map[string]any{"file_path": root + "/mirror/config.yaml", "old_string": "a", "new_string": "b"}, "")
		k.agent("`mirror/config.yaml`: 3 GB.\n\n- " + s)
		c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
		if c == nil || strings.Join(c.OpenQuestions, "|") != s || strings.Contains(c.Thesis+strings.Join(c.KeyEvidence, "|"), s) {
			t.Errorf("%s: %+v", s, c)
		}
	}
}

// A test that fails and passes later is told by the contribution that it made; the sentence
// that it fails is no finding by then, unless it says why.
func TestAFailureThatWasMendedIsNoFinding(t *testing.T) {
	for _, s := range []string{
		"The test `TestReclaim` fails with a timeout after 30 s.",
		"Der Test `TestReclaim` schlägt nach 30 s mit einem Timeout fehl.",
		"Le test `TestReclaim` échoue au bout de 30 s.",
		"La prueba `TestReclaim` falla a los 30 s.",
		"O teste `TestReclaim` falha depois de 30 s.",
		"Тест `TestReclaim` падает через 30 с.",
		"测试 `TestReclaim` 在 30 秒后失败。",
		"テスト `TestReclaim` が30秒後に失敗しました。",
	} {
		for _, mended := range []bool{false, true} {
			k := newTalk(t)
			k.tool("Bash", map[string]any{"command": "go test ./queue"}, "Exit code 1\n--- FAIL: TestReclaim")
			k.agent("**Result:** " + s)
			k.tool("Edit", map[string]any{"file_path": root + "/queue/lease.go", "old_string": "a", "new_string": "b"}, "")
			if mended {
				k.tool("Bash", map[string]any{"command": "go test ./queue"}, "")
			}
			k.agent("**Decision:** the lease lives in `queue/lease.go`.")
			c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
			if c == nil || strings.Contains(string(codec.Marshal(c)), s) == mended {
				t.Errorf("mended %v: %s: %+v", mended, s, c)
			}
		}
	}
}

// Small talk and what names nothing is no question of a session, in any language.
func TestSmallTalkIsNotAsked(t *testing.T) {
	answers := []string{
		"**Decision:** the lease lives in `queue/lease.go`.", "**Entscheidung:** die Frist steht in `queue/lease.go`.",
		"**Décision :** le bail est dans `queue/lease.go`.", "**Decisión:** el plazo está en `queue/lease.go`.", "**Decisão:** o prazo está em `queue/lease.go`.",
		"**Решение:** срок хранится в `queue/lease.go`.", "**决定：** 租约放在 `queue/lease.go` 里。", "**決定：** リースは `queue/lease.go` に置きます。",
	}
	for i, list := range [][]string{
		{"What do you suggest?", "ok please fix that", "Hello there!", "thanks a lot, looks great", "please go on with it"},
		{"Was schlägst du vor?", "ja bitte, beheb das", "Guten Morgen!", "danke dir, sieht gut aus", "mach bitte weiter"},
		{"Tu proposes quoi ?", "vas-y, corrige ça", "Bonjour !", "merci beaucoup, c'est super", "continue comme ça"},
		{"¿Qué sugieres?", "venga, hazlo", "¡Buenos días!", "muchas gracias, genial", "sigue así"},
		{"O que você sugere?", "pode corrigir isso", "Bom dia!", "muito obrigado, ficou ótimo", "continue assim"},
		{"Что предлагаешь?", "давай, исправь это", "Добрый день!", "большое спасибо, отлично", "продолжай дальше"},
		{"你有什么建议?", "修一下", "你好！", "谢谢，太好了", "那你继续吧"},
		{"どうすればいいですか？", "それを直してください", "おはようございます！", "ありがとうございます、助かります", "続けてください"},
	} {
		for _, s := range list {
			k := newTalk(t)
			k.person(s)
			k.agent(answers[i])
			c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
			if c == nil || strings.Contains(c.ReasoningTrace, "Asked") || c.CoreQuestion != "" {
				t.Errorf("%s: %+v", s, c)
			}
		}
	}
	for i, s := range []string{
		"Why do logins time out?", "Warum hängt der Import?", "Pourquoi l'import échoue ?", "¿Por qué falla la importación?", "Por que a importação trava?",
		"Почему падает импорт?", "支付为什么失败？", "在庫同期が遅い理由は？",
	} {
		k := newTalk(t)
		k.person(s)
		k.agent(answers[i])
		if c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd); c == nil || !strings.Contains(c.ReasoningTrace, s) {
			t.Errorf("not asked: %s: %+v", s, c)
		}
	}
}

// What failed is told as failing where nobody came back to it yet: not once it passed in another
// line, was taken back, or the person spoke of other things since.
func TestWhatFailedOnceIsGivenUp(t *testing.T) {
	const failed = "npm run export"
	for _, tt := range []struct {
		name  string
		talk  func(k *talk)
		still bool
	}{
		{"nothing since", func(*talk) {}, true},
		{"another command", func(k *talk) { k.tool("Bash", map[string]any{"command": "npm run import"}, "") }, true},
		{"behind another", func(k *talk) {
			k.tool("Bash", map[string]any{"command": "cd web && npm run export -- --all && ls"}, "")
		}, false},
		{"taken back", func(k *talk) { k.tool("Bash", map[string]any{"command": "git checkout -- ."}, "") }, false},
		{"given up", func(k *talk) {
			for _, s := range []string{"Which columns has the import?", "Which of them are dates?", "Which of those may be empty?"} {
				k.person(s)
				k.agent("**Finding:** the import has nine columns, two of them are dates.")
			}
		}, false},
	} {
		k := newTalk(t)
		k.person("Can you export the customers of last year?")
		k.tool("Bash", map[string]any{"command": failed}, "Exit code 1\nno such table: customers")
		k.agent("**Finding:** the customers are in another database.")
		tt.talk(k)
		c := Checkpoint(Session{Digest: k.digest()}, sage.SessionEnd)
		if c == nil || strings.Contains(strings.Join(c.OpenQuestions, "\n"), stillFails+failed) != tt.still {
			t.Errorf("%s: %+v", tt.name, c)
		}
	}
}
