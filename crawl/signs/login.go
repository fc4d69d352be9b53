package signs

import (
	neturl "net/url"
	"path"
	"slices"
	"strings"

	"sitesync/internal/weburl"
)

// loginNames are last segments of the paths of login pages, loginServices segments
// of those of login services. The words of loginWords mean entering or signing up
// for other things too: a form there is where it belongs, a redirect there no wall.
var (
	loginNames = []string{
		"login", "log-in", "log_in", "logon", "signin", "sign-in", "sign_in", "wp-login",
		"einloggen", "log-ind", "logind", "logga-in", "loggain", "logg-inn", "logginn", "connexion", "se-connecter",
		"iniciar-sesion", "accedi", "inloggen",
	}
	loginServices = []string{"saml", "saml2", "oauth", "oauth2", "sso", "adfs", "openid-connect", "simplesaml"}
	loginWords    = []string{"anmelden", "anmeldung", "acceso", "acceder", "entrar", "aanmelden", "register", "account", "admin", "wp-admin", "members"}
	loginHosts    = []string{"login.microsoftonline.com", "accounts.google.com", ".okta.com", ".auth0.com", ".onelogin.com", ".b2clogin.com"}
)

// AsksForLogin reports whether a redirect from one address to another asks for a login,
// where none belongs.
func AsksForLogin(from, to string) bool { return !isLoginPage(from) && leadsToLogin(from, to) }

// isLoginPage reports whether a login form belongs at the address.
func isLoginPage(url string) bool {
	return leadsToLogin("", url) || slices.Contains(loginWords, lastName(url))
}

// leadsToLogin reports whether a redirect from one address to another asks for a
// login.
func leadsToLogin(from, to string) bool {
	target, err := neturl.Parse(to)
	if err != nil {
		return false
	}
	if slices.Contains(loginNames, lastName(to)) {
		return true
	}
	for segment := range strings.SplitSeq(strings.ToLower(target.Path), "/") {
		if slices.Contains(loginServices, segment) {
			return true
		}
	}
	host := target.Hostname()
	for _, service := range loginHosts {
		if host == service || service[0] == '.' && strings.HasSuffix(host, service) {
			return true
		}
	}
	if from == "" || weburl.Origin(from) == weburl.Origin(to) {
		return false
	}
	first, _, _ := strings.Cut(host, ".")
	return slices.Contains([]string{"login", "sso", "auth", "idp"}, first)
}

// lastName returns the last segment of a URL's path in lower case, without an
// extension.
func lastName(url string) string {
	end := strings.IndexAny(url, "?#")
	if end < 0 {
		end = len(url)
	}
	name := strings.ToLower(path.Base(strings.TrimRight(url[:end], "/")))
	name, _, _ = strings.Cut(name, ".")
	return name
}
