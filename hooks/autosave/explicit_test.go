package autosave

import (
	"strings"
	"testing"
)

func TestExplicitRequests(t *testing.T) {
	const todo, rule, know, save = `item_type "todo"`, `item_type "preference", the rule`, "sage_save_knowledge with it", "sage_save_checkpoint"
	for prompt, want := range map[string]string{
		"checkpoint":              save,
		"Checkpoint.":             save,
		"please checkpoint this":  save,
		"Checkpoint: we use ARC":  save,
		"let's make a checkpoint": save,
		"Save this!":              save,
		"save this as a checkpoint, then go on with the tests": save,
		"save this for later":                               save,
		"Could you please save our progress":                save,
		"Ok, save where we are now.":                        save,
		"store that in sage":                                save,
		"remember this: the staging db is wiped on Sundays": know,
		"Remember that I prefer tabs":                       know,
		"remember: tabs":                                    know,
		"please remember this: x":                           know,
		"TODO: rotate the keys":                             todo,
		"add a todo: rotate the keys":                       todo,
		"to-do: x":                                          todo,

		"":                               "",
		"Remember that bug?":             "",
		"save this file as out.txt":      "",
		"save this to disk":              "",
		"Save the users to the database": "",
		"checkpoint/restore in containers, how does it work?": "",
		"checkpoints are large":                               "",
		"the model checkpoint does not load":                  "",
		"todo list app in React":                              "",
		"fix the TODO: in main.go":                            "",
		"what does \"save this\" do":                          "",
		"remember to run the tests":                           "",
		"keep it simple":                                      "",
		"I cannot remember this: what was it":                 "",

		"Can you keep a record of what we agreed on?":                           know,
		"Would you document this decision for the auditors?":                    know,
		"It would be good to have all of this written down.":                    know,
		"You should remember this: their CSV has semicolons.":                   know,
		"memo: the contract ends in May":                                        know,
		"Let's not forget this one.":                                            know,
		"I'd hate to lose all this tomorrow.":                                   know,
		"The next session must know that the mirror is read-only.":              know,
		"Leave a marker here, I have a call.":                                   save,
		"can you remember where the fixtures are?":                              "",
		"would you document the endpoint in the README?":                        "",
		"would it be good to have it cached?":                                   "",
		"the next session expires after an hour":                                "",
		"Kannst du dir bitte merken, dass die Demo nachts neu aufgesetzt wird?": know,
		"¿Puedes guardar en memoria que el espejo es de solo lectura?":          know,

		// what people say beside these
		"Please remember that the staging db is wiped on Sundays.":   know,
		"please remember: the demo account must never be deleted":    know,
		"Keep in mind that Thomas reviews everything under /billing": know,
		"Don't forget: the SLA excludes the first half hour.":        know,
		"don't forget that we have no staging":                       know,
		"note to self: the GPU quota resets on the 15th":             know,
		"Note: the API is frozen until March.":                       know,
		"FYI the certificate expires on the 12th":                    know,
		"For the record, we rejected Kafka.":                         know,
		"From now on always answer in German.":                       rule,
		"from now on, never push to main":                            rule,
		"Always use tabs.":                                           rule,
		"never commit without running the linter":                    rule,
		"I prefer table tests.":                                      rule,
		"TODO rotate the signing key":                                todo,
		"add to my todo list: rotate the signing key":                todo,
		"Add rotating the key to the todo list.":                     todo,
		"remind me to rotate the key tomorrow":                       todo,
		"save a checkpoint":                                          save,
		"Fix the test first. And remember: the CI has one core.":     know,

		"I remember this bug":                                "",
		"do you remember where we put the migration scripts": "",
		"don't forget to run the tests after that":           "",
		"remember to update the changelog":                   "",
		"why does it always return nil":                      "",
		"write a function that never returns an error":       "",
		"make a note widget for the sidebar":                 "",
		"the reminder mail is not sent, look into it":        "",
		"keep the tests green":                               "",

		"Merk dir, dass die Testdatenbank sonntags geleert wird.": know,
		"Denk daran: Thomas prüft alles unter /billing.":          know,
		"Vergiss nicht, dass wir kein Staging haben.":             know,
		"Notiz an mich: das Zertifikat läuft am 12. ab":           know,
		"Ab jetzt immer auf Deutsch antworten.":                   rule,
		"Verwende immer Tabs.":                                    rule,
		"TODO: Schlüssel tauschen":                                todo,
		"Erinnere mich daran, den Schlüssel zu tauschen.":         todo,
		"Setz das auf die Todo-Liste: Schlüssel tauschen":         todo,
		"Speichere den Zwischenstand.":                            save,
		"Vergiss nicht, danach die Tests laufen zu lassen.":       "",
		"Ich erinnere mich an diesen Fehler.":                     "",
		"Erinnerst du dich an den Fehler?":                        "",

		"Souviens-toi que la base de test est vidée le dimanche.": know,
		"N'oublie pas que nous n'avons pas de préproduction.":     know,
		"Note : le certificat expire le 12.":                      know,
		"À partir de maintenant, réponds toujours en français.":   rule,
		"Utilise toujours des tabulations.":                       rule,
		"Rappelle-moi de renouveler la clé.":                      todo,
		"Ajoute à la liste de tâches : renouveler la clé":         todo,
		"Sauvegarde où on en est.":                                save,
		"N'oublie pas de lancer les tests après.":                 "",
		"Je me souviens de ce bug.":                               "",

		"Recuerda que la base de pruebas se borra los domingos.": know,
		"Ten en cuenta que no tenemos staging.":                  know,
		"No olvides que Thomas revisa todo en /billing.":         know,
		"A partir de ahora responde siempre en español.":         rule,
		"Usa siempre tabuladores.":                               rule,
		"Recuérdame renovar la clave.":                           todo,
		"Añade a la lista de tareas: renovar la clave":           todo,
		"Guarda el estado.":                                      save,
		"No olvides ejecutar las pruebas después.":               "",
		"Recuerdo este error.":                                   "",

		"Lembre que o banco de testes é apagado aos domingos.": know,
		"Não esqueça que não temos staging.":                   know,
		"Tenha em mente que o Thomas revisa tudo em /billing.": know,
		"A partir de agora responda sempre em português.":      rule,
		"Use sempre tabs.":                             rule,
		"Me lembra de renovar a chave.":                todo,
		"Adicione à lista de tarefas: renovar a chave": todo,
		"Salva o progresso.":                           save,
		"Não esqueça de rodar os testes depois.":       "",
		"Eu lembro desse erro.":                        "",

		"Запомни, что тестовая база очищается по воскресеньям.": know,
		"Имей в виду: Томас проверяет всё в /billing.":          know,
		"Не забывай, что стейджинга у нас нет.":                 know,
		"С этого момента всегда отвечай по-русски.":             rule,
		"Всегда используй табы.":                                rule,
		"Напомни мне продлить ключ.":                            todo,
		"Добавь в список задач: продлить ключ":                  todo,
		"Сохрани прогресс.":                                     save,
		"Не забудь потом прогнать тесты.":                       "",
		"Я помню эту ошибку.":                                   "",

		"请记住，测试库每周日会清空。":  know,
		"别忘了：我们没有预发环境":    know,
		"备忘：证书 12 号到期":    know,
		"以后都用中文回答。":       rule,
		"永远不要直接推送到 main。": rule,
		"待办：更换签名密钥":       todo,
		"提醒我更换密钥":         todo,
		"把更换密钥加到待办":       todo,
		"保存当前进度":          save,
		"别忘了之后跑一下测试":      "",
		"我记得这个错误":         "",

		"テスト用 DB は日曜に消えることを覚えておいてください。": know,
		"メモ：証明書は 12 日に切れます":             know,
		"忘れないで：ステージング環境はありません。":         know,
		"今後は必ず日本語で答えてください。":             rule,
		"常にタブを使ってください。":                 rule,
		"TODO：署名鍵を交換する":                 todo,
		"鍵の交換をリマインドして":                  todo,
		"ここまでの状態を保存して":                  save,
		"後でテストを実行するのを忘れないで":             "",
		"このバグは覚えています。":                  "",
	} {
		got := Requested(prompt)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

// What a tool requires is named, for the call that is described is the one that is made.
func TestAskedPromptsNameWhatTheToolRequires(t *testing.T) {
	for _, prompt := range []string{"todo: rotate the keys", "remember this: the staging db is wiped on Sundays"} {
		if got := Requested(prompt); !strings.Contains(got, "knowledge_id") || !strings.Contains(got, "content") {
			t.Errorf("%q: %q", prompt, got)
		}
	}
}
