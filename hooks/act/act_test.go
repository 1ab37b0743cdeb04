package act

import (
	"slices"
	"testing"
)

func TestWhatACallAsks(t *testing.T) {
	for _, tt := range []struct {
		call Call
		want []string
	}{
		{Call{Pattern: `context\.Background\(\)`}, []string{"context.Background "}},
		{Call{Pattern: "proto/events/**/*.proto"}, []string{"proto/events/ / .proto"}},
		{Call{Pattern: `\bfunc [A-Z]\w+`}, []string{" func    "}},
		{Call{File: "services/edi/decode.go"}, []string{"services/edi/decode.go services/edi"}},
		{Call{File: "main.go"}, []string{"main.go"}},
		{Call{Command: "cd web && npm i -D vitest"}, []string{"npm install", "npm install vitest", "vitest"}},
		{Call{Command: "npm i node-canvas@2.11 @types/left-pad"}, []string{"npm install", "npm install node-canvas@2.11 @types/left-pad", "node-canvas", "left-pad"}},
		{Call{Command: "go get github.com/golang/mock/v2@latest"}, []string{"go get", "go get github.com/golang/mock/v2@latest", "mock"}},
		{Call{Command: "uv pip install 'psycopg2-binary>=2.9' ./wheels"}, []string{"uv pip", "uv pip install psycopg2-binary>=2.9 ./wheels", "psycopg2-binary"}},
		{Call{Command: "pip install -r requirements.txt"}, []string{"pip install", "pip install requirements.txt"}},
		{Call{Command: "npm run add-user"}, []string{"npm run", "npm run add-user"}},
		{Call{Command: "sudo kubectl delete pvc data-0"}, []string{"kubectl delete", "kubectl delete pvc data-0"}},
		{Call{Command: "grep -rn 'lock_timeout' migrations | head"}, []string{"lock_timeout"}},
		{Call{Command: "cd a; rg -l outbox services"}, []string{"outbox"}},
		{Call{Command: "ls | grep test"}, nil},
		{Call{Command: "git log --oneline | head -5; cat a.go; echo 'use redis'"}, nil},
		{Call{Command: "git commit -am 'Use redis for the cache'"}, []string{"git commit"}},
		{Call{Command: "sed -n 1,20p gen/api.go"}, nil},
		{Call{Command: "sed -i s/a/b/ gen/api.go"}, []string{"sed s/a/b/ gen/api.go"}},
		{Call{Command: "$TOOL x"}, nil},
		{Call{Command: "true 'unclosed"}, nil},
		{Call{Error: "Exit code 1\n\x1b[31mFATAL: sorry, too many clients already\x1b[0m\n"}, []string{"FATAL: sorry, too many clients already"}},
		{Call{Error: "Exit code 2\none\ntwo\nthree\nfour\nfive\nerror: six\n"}, []string{"error: six", "three", "four", "five"}},
		{Call{Error: "Exit code 1"}, nil},
		{Call{}, nil},
	} {
		var got []string
		for _, a := range tt.call.Asks() {
			got = append(got, a.Text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v asks %q, not %q", tt.call, got, tt.want)
		}
	}
}
