package trigger

import "testing"

// A decision is heard in every language in the forms that people announce one with: the word
// for it in front, a colon behind it, what is decided as its subject, and what stays as it is.
func TestDecisionsAreHeard(t *testing.T) {
	for _, s := range []string{
		"It is decided then: invoices move to the new schema on Monday.",
		"We decided: the importer keeps its own connection pool.",
		"The decision: sessions expire after 8 hours.",
		"That's decided now, uploads go through the gateway.",

		"Entschieden ist also: Rechnungen wandern am Montag in das neue Schema.",
		"Wir haben entschieden: Der Import behält seinen eigenen Pool.",
		"Beschlossen wurde, dass Sitzungen nach 8 Stunden ablaufen.",
		"Damit steht fest: Uploads laufen über das Gateway.",

		"C'est donc décidé : les factures passent lundi dans le nouveau schéma.",
		"Nous avons décidé : l'import garde son propre pool.",
		"La décision est prise : les sessions expirent au bout de 8 heures.",
		"Il a été décidé que les envois passent par la passerelle.",

		"Queda decidido: las facturas pasan el lunes al esquema nuevo.",
		"Hemos decidido: la importación conserva su propio pool.",
		"La decisión está tomada: las sesiones caducan a las 8 horas.",
		"Se ha acordado que las subidas vayan por la pasarela.",

		"Está decidido então: as faturas vão para o novo esquema na segunda.",
		"Decidimos: a importação mantém o seu próprio pool.",
		"A decisão está tomada: as sessões expiram em 8 horas.",
		"Ficou combinado que os uploads passam pelo gateway.",

		"Итак, решено: счета в понедельник переезжают в новую схему.",
		"Мы решили: импорт сохраняет собственный пул.",
		"Решение принято: сессии истекают через 8 часов.",
		"Было решено, что загрузки идут через шлюз.",

		"我们决定：导入任务保留自己的连接池。",
		"我们决定:用 PostgreSQL SKIP LOCKED",
		"那就这么定了：账单周一迁移到新的表结构。",
		"最后敲定的是：会话 8 小时后过期。",

		"では決まりです。請求書は月曜に新しいスキーマへ移します。",
		"決定：インポートは専用のプールを使い続けます。",
		"私たちはこう決めました。セッションは8時間で切れます。",
		"話し合いの結果、アップロードはゲートウェイ経由に決まりました。",
	} {
		if k := Read(s, false).Kind(threshold); k != Synthesis {
			t.Errorf("%q, %.2f: %s", k, Read(s, false).Scores[Synthesis], s)
		}
	}
	for _, s := range []string{
		"It is not decided yet where invoices go.",
		"Noch ist nicht entschieden, wohin die Rechnungen wandern.",
		"Rien n'est encore décidé pour les factures.",
		"Todavía no está decidido adónde van las facturas.",
		"Ainda não está decidido para onde vão as faturas.",
		"Пока не решено, куда переезжают счета.",
		"账单放在哪里还没有决定。",
		"請求書をどこに置くかはまだ決まっていません。",
	} {
		if k := Read(s, false).Kind(threshold); k == Synthesis {
			t.Errorf("told though nothing is decided: %s", s)
		}
	}
}
