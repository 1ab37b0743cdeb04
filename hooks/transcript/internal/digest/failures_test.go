package digest

import "testing"

func TestFailuresAreFixed(t *testing.T) {
	type try struct{ command, failed, printed string }
	bad := func(c string) try { return try{c, "Exit code 1\nboom", ""} }
	good := func(c string) try { return try{c, "", "ok"} }
	for _, tt := range []struct {
		first, then try
		test, fixed bool
	}{
		{bad("go test ./..."), good("go test ./..."), true, true},
		{bad("go test ./a -run X -v"), good("cd /home/ada/shop && go test -count=1 ./a"), true, true},
		{bad("go test ./a -run X"), good("go test ./..."), true, true},
		{bad("go test ./..."), good("go test ./a"), true, false},
		{bad("go test ./a"), good("go test ./b"), true, false},
		{bad("go test ./a"), good("go build ./a"), true, false},
		{bad("go test ./a"), bad("go test ./a"), true, false},
		{bad("uv run pytest tests/a.py::x"), good("uv run pytest"), true, true},
		{bad("npm run test:unit -- a"), good("npm run test:unit"), true, true},
		{bad("python3 -m pytest -q"), good("python3 -m pytest"), true, true},
		{bad("pytest"), good("pytest -p no:randomly"), true, false},
		{bad("pytest"), good("pytest -x -q --tb=short"), true, true},
		{bad("TZ=CET pytest"), good("pytest"), true, false},
		{bad("pytest"), good("TZ=UTC pytest"), true, false},
		{bad("TZ=CET LANG=C pytest -q"), good("env LANG=C TZ=CET pytest"), true, true},
		{bad("go test ./..."), good("go test -short ./..."), true, false},
		{bad("go test -short ./..."), good("go test ./..."), true, true},
		{bad("pytest"), good("pytest --lf"), true, false},
		{bad("go test ./a"), good("go test -run=X ./a"), true, false},
		{bad("FOO=1 make -C sub check"), good("make check"), true, false},
		{bad("npm test"), try{"npm test 2>&1 | tail -3", "", "Tests: 2 failed, 3 passed"}, true, false},
		{bad("npm test"), try{"npm test 2>&1 | tail -3", "", "Tests: 0 failed, 3 passed"}, true, true},
		{bad("npm test"), try{"npm test; echo done", "", "done"}, true, false},
		{try{"go test ./... | tail", "", "--- FAIL: TestX\nFAIL"}, good("go test ./... | tail"), true, true},
		{try{"cargo test 2>&1 | tail", "", "test result: FAILED. 1 passed"}, try{"cargo test", "", ""}, true, true},
		{bad("gofmt -l x && curl y"), good("curl y"), false, false},
		{bad("curl y"), good("curl y"), false, true},
		{bad("curl y"), good("curl z"), false, false},
		{bad("curl y"), good("curl y | head"), false, false},
		{bad("test -f x"), good("test -f x"), false, true},
		{bad("echo test"), good("echo test"), false, false},
		{bad("ls tests"), good("ls tests"), false, true},
		{bad("git check-ignore x"), good("git check-ignore x"), false, true},
	} {
		s := &session{t: t}
		s.bash(tt.first.command, tt.first.failed, tt.first.printed)
		s.bash(tt.then.command, tt.then.failed, tt.then.printed)
		d := again(t, s.digest(Options{Root: shop}))
		if len(d.Failures) == 0 {
			t.Errorf("%q is no failure", tt.first.command)
			continue
		}
		if f := d.Failures[0]; f.Test != tt.test || (f.Fixed > f.Offset) != tt.fixed {
			t.Errorf("%q, then %q: %+v", tt.first.command, tt.then.command, f)
		}
	}
}

func TestWhatTestsSay(t *testing.T) {
	for _, tt := range []struct {
		printed        string
		failed, passed bool
	}{
		{"ok  \tpkg\t0.5s", false, true},
		{"--- FAIL: TestX (0.00s)\nFAIL\tpkg\t0.1s", true, false},
		{"===== 3 passed in 0.12s =====", false, true},
		{"==== 1 failed, 3 passed in 0.12s ====", true, true},
		{"Tests:       0 failed, 12 passed, 12 total", false, true},
		{"Failures: 0, Errors: 0, Skipped: 0\nBUILD OK", false, true},
		{"test result: ok. 5 passed; 0 failed; 0 ignored", false, true},
		{"12 passing (3s)\n1 failing", true, true},
		{"no failures, all is OK", false, true},
		{"", false, false},
		{"compiled", false, false},
	} {
		if f, p := says(tt.printed, failedWords()), says(tt.printed, passedWords()); f != tt.failed || p != tt.passed {
			t.Errorf("%q: failed %t, passed %t", tt.printed, f, p)
		}
	}
}

// What passes among other commands, with other arguments that leave nothing out, or was taken back
// does not fail any more, and was not seen to be fixed.
func TestFailuresAreEased(t *testing.T) {
	for _, tt := range []struct {
		first, then string
		eased       bool
	}{
		{"npm run lint", "npm run lint && npm run build", true},
		{"cd web && npm run build", "npm run lint && npm run build -- --mode=ci", true},
		{"make deploy", "make deploy 2>&1 | tail -5", true},
		{"npm run lint && npm run build", "npm run build", false},
		{"npm run lint", "npm run build", false},
		{"npm test", "npm test -- --runInBand", true},
		{"pytest -p no:randomly", "pytest", true},
		{"pytest tests/api/test_a.py", "pytest tests", true},
		{"pytest tests/api/test_a.py::test_x", "pytest tests/api/test_a.py", true},
		{"pytest tests", "pytest tests/api/test_a.py", false},
		{"pytest", "pytest tests/api/test_a.py", false},
		{"go test ./a", "go test ./b", false},
		{"TZ=CET pytest", "pytest", false},
		{"./import --file kunden.csv", "./import --file klein.csv", true},
		{"python load.py", "python check.py", false},
		{"kubectl apply -f a.yaml", "kubectl apply -f b.yaml", true},
		{"kubectl apply -f a.yaml", "kubectl get pods", false},
		{"make deploy", "git checkout -- deploy.yaml", true},
		{"make deploy", "git revert HEAD", true},
		{"make deploy", "git checkout main", false},
		{"make deploy", "git stash pop", false},
		{"echo x", "ls", false},
	} {
		s := &session{t: t}
		s.bash(tt.first, "Exit code 1\nboom", "")
		s.bash(tt.then, "", "done")
		d := again(t, s.digest(Options{Root: shop}))
		if f := d.Failures[0]; (f.Eased > f.Offset || f.Fixed > f.Offset) != tt.eased {
			t.Errorf("%q, then %q: %+v", tt.first, tt.then, f)
		}
	}
	s := &session{t: t}
	s.bash("npm test", "Exit code 1\nboom", "")
	s.bash("npm test -- --ci | tail", "", "Tests: 2 failed")
	if d := s.digest(Options{Root: shop}); d.Failures[0].Eased > 0 {
		t.Errorf("%+v", d.Failures)
	}
}
