// Package cues has the words that tell what may stand beside them.
package cues

import "strings"

// A Cue is a word that tells what may stand beside it.
type Cue uint8

const (
	None       Cue = iota
	Password       // the password is ...
	PIN            // the PIN is ..., of digits alone
	Token          // the token is ..., which must look drawn by lot
	Key            // the same, if the words around say that the key is no name
	Login          // credentials: user / password
	Directive      // requirepass ..., -storepass ...
	Command        // mysql -p...
	Identified     // IDENTIFIED BY '...'
	Cookie         // Cookie: a=...; b=...
	Call           // SetBasicAuth("user", "...")
	Enter          // log in as user / password
	Community      // snmp-server community ...
	User           // user worker on >... of Redis
)

// Of returns what a word in lower case is a cue of.
func Of(w string) Cue {
	switch w {
	case "password", "passwords", "passwort", "kennwort", "passphrase", "passcode", "passwd", "pwd", "pw", "pswd", "contraseña", "contrasena",
		"contrasenya", "passe", "mdp", "senha", "wachtwoord", "parola", "lösenord", "hasło", "salasana":
		return Password
	case "pin":
		return PIN
	case "token", "jeton", "secret", "geheimnis", "jetons", "secreto", "segreto", "hmac", "apikey":
		return Token
	case "key", "schlüssel", "schluessel", "clé", "clave", "chiave", "chave", "llave":
		return Key
	case "credentials", "credential", "creds", "zugangsdaten", "anmeldedaten", "identifiants", "credenciales", "login", "logins", "credenziali":
		return Login
	case "requirepass", "masterauth", "rootpw", "bindpw", "storepass", "keypass", "srcstorepass", "deststorepass", "srckeypass", "destkeypass",
		"psk", "wpapsk":
		return Directive
	case "curl", "http", "https", "xh", "xhs", "wget", "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlsh", "mysqlcheck", "mariadb", "sshpass",
		"redis", "valkey", "keydb", "mongo", "mongosh", "mongodump", "mongorestore", "mongoimport", "mongoexport", "openssl", "htpasswd", "docker", "podman",
		"nerdctl", "buildah", "skopeo", "helm", "oras", "crane", "az", "net", "smbclient", "smbmap", "rpcclient", "ldapsearch", "ldapmodify",
		"ldapadd", "ldapwhoami", "ldappasswd", "ldapdelete", "zip", "unzip", "z", "za", "rar", "unrar", "vault", "bao", "sqlcmd", "bcp", "osql", "snmpwalk",
		"snmpget", "snmpset", "snmpbulkwalk", "snmptrap", "twine", "rabbitmqctl", "useradd", "usermod", "gpg", "echo", "printf", "sqlplus", "plink", "pscp", "psftp",
		"psexec", "crackmapexec", "netexec", "nxc", "xfreerdp", "rdesktop", "cmdkey", "mosquitto", "ipmitool", "lftp", "svn", "cqlsh", "beeline", "gh", "kubectl",
		"oc", "rclone", "wpa", "mc", "kinit", "ansible", "sudo", "converttosecurestring", "convertto", "influx", "clickhouse", "winexe", "vncviewer",
		"evil", "wmic", "schtasks", "createuser", "gsettings", "expect", "flyway", "liquibase", "sqoop", "impala", "nmcli", "pass", "vncpasswd", "passwd_":
		return Command
	case "log", "logs", "logged", "logging", "signed", "ssh", "connect", "authenticate", "anmelden", "angemeldet", "einloggen", "eingeloggt", "connecte", "connectez", "connecté",
		"entra", "entrar", "accede", "inicia", "conecta", "conéctate":
		return Enter
	case "community", "rocommunity", "rwcommunity":
		return Community
	case "user", "setuser":
		return User
	case "identified":
		return Identified
	case "cookie", "cookies":
		return Cookie
	case "setbasicauth", "httpbasicauth", "httpdigestauth", "networkcredential", "basicauth", "basicauthcredentials", "usernamepasswordcredentials", "getconnection",
		"auth", "sign", "encode", "createcipheriv", "createdecipheriv", "createhmac", "plainauth", "passwordauthentication",
		"pscredential", "signwith", "verify", "decode", "scrypt", "httpbasicauthhandler":
		return Call
	}
	return None
}

// cueEnds are ends of compound words that are cues: Datenbankpasswort, dbPassword.
var cueEnds = [...]struct {
	end string
	Cue Cue
}{
	{"password", Password}, {"passwort", Password}, {"kennwort", Password}, {"passphrase", Password}, {"passwd", Password},
	{"token", Token}, {"secret", Token}, {"schlüssel", Key},
}

// MaxLength is the length of the longest word that can be a cue, in bytes.
const MaxLength = 32

// AtEnd returns what the end of a compound word in lower case is a cue of.
func AtEnd(low string) Cue {
	switch low[len(low)-1] {
	case 'd', 't', 'e', 'n', 'l':
		for _, e := range cueEnds {
			if strings.HasSuffix(low, e.end) {
				return e.Cue
			}
		}
	}
	return None
}

// Rule names what is found beside the cue.
func (c Cue) Rule() string {
	if c == Password || c == PIN || c == Login {
		return "password"
	}
	return "secret-value"
}
