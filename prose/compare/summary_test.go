package compare

import "testing"

// A summary may leave out and add, but not put one thing in the place of another.
func TestDistorts(t *testing.T) {
	for _, tt := range []struct{ said, summary, want string }{
		{"Set the limit to 600 requests a minute.", "The limit is 600.", ""},
		{"Use Redis, it has 30s of lag.", "Redis lags by 30 s.", ""},
		{"It dropped by 12 %.", "It dropped by 12%.", ""},
		{"Set the limit to 600.", "The limit is 300.", inNumbers},
		{"Keep them for 10 Tage.", "They are kept for 10 Jahre.", inUnits},
		{"接口超时 30 秒", "接口超时 30 分钟", inUnits},
		{"Der Cache ist eingeschaltet.", "Der Cache ist ausgeschaltet.", inOpposite},
		{"缓存启用", "缓存禁用", inOpposite},
		{"it may scale", "it must scale", inStrength},
		{"So move the queue to Kafka soon.", "The queue moves to RabbitMQ.", inNames},
		{"the cat sees the dog", "the dog sees the cat", inOrder},
		{"we deploy with ansible on each host", "we deploy with puppet on each host", inWords},
		{"", "", ""},
	} {
		if got := Distorts(tt.said, tt.summary); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.said, tt.summary, got, tt.want)
		}
	}
}
