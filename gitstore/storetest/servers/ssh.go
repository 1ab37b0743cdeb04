package servers

import (
	"fmt"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// separation is a folder that sshd wants to be there if root starts it.
const separation = "/run/sshd"

// sshdConfig leaves nothing to the machine's own configuration.
const sshdConfig = `HostKey "%[1]s/host"
AuthorizedKeysFile "%[2]s"
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitUserRC no
PrintMotd no
PrintLastLog no
AcceptEnv GIT_PROTOCOL
SetEnv "HOME=%[1]s" "PATH=%[3]s" GIT_CONFIG_NOSYSTEM=1
`

func (s *Server) ssh() error {
	url, err := s.sshd("authorized")
	s.URL = url + filepath.ToSlash(s.root)
	if err != nil {
		return err
	}
	key, err := os.ReadFile(filepath.Join(s.dir, "ada.pub"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, "authorized"), key, 0o600)
}

// sshd makes the keys and answers ssh.
func (s *Server) sshd(authorized string) (url string, err error) {
	for _, key := range []string{"host", "ada"} {
		if err := s.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", key, "-f", filepath.Join(s.dir, key)); err != nil {
			return "", err
		}
	}
	path := ""
	for _, kv := range s.env {
		if p, ok := strings.CutPrefix(kv, "PATH="); ok {
			path = p
		}
	}
	conf := filepath.Join(s.dir, "sshd_config")
	if err := os.WriteFile(conf, fmt.Appendf(nil, sshdConfig, s.dir, filepath.Join(s.dir, authorized), path), 0o666); err != nil {
		return "", err
	}
	addr, err := s.inetd("sshd", "-i", "-f", conf, "-E", filepath.Join(s.dir, "log"))
	if err != nil {
		return "", err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	key, err := os.ReadFile(filepath.Join(s.dir, "host.pub"))
	if err != nil {
		return "", err
	}
	known := filepath.Join(s.dir, "known")
	if err := os.WriteFile(known, fmt.Appendf(nil, "[%s]:%s %s", host, port, key), 0o666); err != nil {
		return "", err
	}
	me, err := user.Current()
	if err != nil {
		return "", err
	}
	s.Env = append(s.Env, fmt.Sprintf("GIT_SSH_COMMAND=ssh -F none -i '%s' -o IdentitiesOnly=yes -o IdentityAgent=none -o BatchMode=yes -o UserKnownHostsFile='%s'", filepath.Join(s.dir, "ada"), known))
	return fmt.Sprintf("ssh://%s@%s", me.Username, addr), nil
}

func (s *Server) gitolite() error { return s.gitoliteWith("\tRW+ = @all\n") }

func (s *Server) gitoliteHeads() error {
	return s.gitoliteWith("\tRW+ refs/heads/ = @all\n\tRW+ refs/tags/ = @all\n\tR = @all\n")
}

// gitoliteWith lets gitolite guard what lies in root, by rules.
func (s *Server) gitoliteWith(rules string) error {
	url, err := s.sshd(".ssh/authorized_keys")
	s.URL = url
	if err != nil {
		return err
	}
	repos, err := filepath.Glob(filepath.Join(s.root, "*.git"))
	if err != nil {
		return err
	}
	if err := os.Symlink(s.root, filepath.Join(s.dir, "repositories")); err != nil {
		return err
	}
	if err := s.run("gitolite", "setup", "-pk", "ada.pub"); err != nil {
		return err
	}
	var conf strings.Builder
	for _, repo := range repos {
		fmt.Fprintf(&conf, "repo %s\n%s", strings.TrimSuffix(filepath.Base(repo), ".git"), rules)
	}
	if err := os.WriteFile(filepath.Join(s.dir, ".gitolite/conf/gitolite.conf"), []byte(conf.String()), 0o666); err != nil {
		return err
	}
	return s.run("gitolite", "setup")
}
