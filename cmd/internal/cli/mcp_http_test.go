package cli

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// postMessages is the program of scripts that sends the lines of a file to a server over
// HTTP, in one session, and prints status and body of each answer:
//
//	post-messages <url> <token> <file>
func postMessages() {
	url, token := os.Args[1], os.Args[2]
	f, err := os.Open(os.Args[3])
	if err != nil {
		panic(err)
	}
	session := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		r, err := http.NewRequest("POST", url, strings.NewReader(lines.Text()))
		if err != nil {
			panic(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Mcp-Session-Id", session)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			panic(err)
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		session = resp.Header.Get("Mcp-Session-Id") + session
		fmt.Printf("%d %s\n", resp.StatusCode, b)
	}
}
