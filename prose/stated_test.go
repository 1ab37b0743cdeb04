package prose

import (
	"strings"
	"testing"
)

// What a statement denies stands in brackets, what stands in front of a word that denies in
// round ones.
func TestStated(t *testing.T) {
	for _, tt := range []struct {
		l          Lang
		text, want string
	}{
		{English, "We will not use Redis for `sess.go`.", "[use] [redis] [sess.go]"},
		{English, "The cause is not the index but the collation.", "(cause) [index] collation"},
		{English, "The cause is the collation and not the index.", "cause collation [index]"},
		{English, "Redis was rejected, since it doesn't scale.", "[redis] [scale]"},
		{English, "It never starts without a lock, not only at 02:00.", "[starts] lock 02 00"},
		{German, "Wir setzen Redis nicht ein.", "[setzen] [redis]"},
		{German, "Nicht der Index ist schuld, sondern die Kollation.", "[index] [schuld] kollation"},
		{French, "Nous n'utiliserons pas Redis, pas plus de 20 connexions.", "(n'utiliserons) [redis] 20 connexions"},
		{Spanish, "No usamos Redis sino Valkey.", "[usamos] [redis] valkey"},
		{Portuguese, "Não usamos Redis, mas Valkey.", "[usamos] [redis] valkey"},
		{Russian, "Мы не используем Redis, а Valkey не только для сессий.", "[используем] [redis] valkey сессий"},
		{Chinese, "会话不使用 Redis，不同的队列可以。", "(会话) [使用] [redis] 队列 列可 可以"},
		{Japanese, "Redis は使用しないが、確認しなければならない。", "[redis] [使用] 確認"},
	} {
		var got []string
		for _, w := range Stated(tt.text, tt.l) {
			got = append(got, map[Denial]string{Stands: w.Text, DeniedOut: "[" + w.Text + "]", DeniedWith: "(" + w.Text + ")"}[w.Denied])
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.text, s, tt.want)
		}
	}
}
