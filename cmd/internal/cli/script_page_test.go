package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// askPage is a program of scripts: ask-page <address> (<method> <path> <body>)... asks the
// server of 'git sage ui', and prints of each answer a line. An item that is to be changed is
// asked for before, and the body says what is to become of it.
func askPage() {
	if err := askAll(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func askAll(address string, args []string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	ask := func(method, path, body string) (string, []byte, error) {
		r, err := http.NewRequest(method, "http://"+u.Host+path, strings.NewReader(body))
		if err != nil {
			return "", nil, err
		}
		for name, value := range map[string]string{"Authorization": "Bearer " + u.Query().Get("token"), "Content-Type": "application/json", "X-Sage-Write": "1"} {
			r.Header.Set(name, value)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", nil, err
		}
		defer answer.Body.Close()
		b, err := io.ReadAll(answer.Body)
		return fmt.Sprint(answer.StatusCode, " ", answer.Header.Get("Content-Type")), b, err
	}
	for ; len(args) > 2; args = args[3:] {
		body := args[2]
		if args[0] == http.MethodPut {
			_, b, err := ask(http.MethodGet, args[1], "")
			var it struct{ Blob string }
			if err != nil || json.Unmarshal(b, &it) != nil {
				return fmt.Errorf("%v: %s", err, b)
			}
			body = fmt.Sprintf(`{"base":%q,%s`, it.Blob, strings.TrimPrefix(body, "{"))
		}
		head, b, err := ask(args[0], args[1], body)
		if err != nil {
			return err
		}
		fmt.Println(head, strings.ReplaceAll(string(b), "\n", " "))
	}
	return nil
}
