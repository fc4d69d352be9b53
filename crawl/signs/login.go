package signs

import (
	"path"
	"slices"
	"strings"

	"sitesync/internal/weburl"
)

// loginNames are last segments of the paths of login pages, loginServices segments
// of those of login services. The words of loginWords mean entering or signing up
// for other things too: a form there is where it belongs, a redirect there is none to a login.
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
func AsksForLogin(from, to string) bool {
	if isLoginPage(from) {
		return false
	}
	first, _, _ := strings.Cut(hostOf(to), ".")
	return namesLogin(to) || weburl.Origin(from) != weburl.Origin(to) && slices.Contains([]string{"login", "sso", "auth", "idp"}, first)
}

// isLoginPage reports whether a login form belongs at the address.
func isLoginPage(url string) bool {
	return namesLogin(url) || slices.Contains(loginWords, pageName(url))
}

// namesLogin reports whether an address by itself is that of a login.
func namesLogin(url string) bool {
	host := hostOf(url)
	return slices.Contains(loginNames, pageName(url)) ||
		slices.ContainsFunc(strings.Split(strings.ToLower(weburl.Path(url)), "/"), func(segment string) bool { return slices.Contains(loginServices, segment) }) ||
		slices.ContainsFunc(loginHosts, func(service string) bool {
			return host == service || service[0] == '.' && strings.HasSuffix(host, service)
		})
}

func hostOf(url string) string {
	host, _, _ := strings.Cut(weburl.Host(url), ":")
	return host
}

// pageName returns the last segment of a URL's path in lower case, without an
// extension.
func pageName(url string) string {
	name, _, _ := strings.Cut(path.Base(strings.TrimRight(weburl.Path(url), "/")), ".")
	return strings.ToLower(name)
}
