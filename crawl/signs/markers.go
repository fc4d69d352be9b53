package signs

import (
	"path"
	"slices"
	"strings"

	"sitesync/internal/weburl"
)

// loginNames are last segments of the paths of login pages, loginServices segments
// of those of login services. The words of loginWords mean entering or signing up
// for other things too: a form belongs there, and a redirect there does not lead to a login.
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

// What gives interstitials away, in lower case. Guards put scripts of their own into good
// pages too; only what their challenges alone hold is listed.

// guardHeaders mark a challenge by themselves; names are canonical, an empty value
// stands for any.
var guardHeaders = []struct{ name, value string }{
	{"Cf-Mitigated", "challenge"},
	{"X-Amzn-Waf-Action", ""},
	{"X-Vercel-Mitigated", "challenge"},
	{"X-Dd-B", ""},
	{"X-Sucuri-Block", ""},
}

// guardCode is what scripts, frames and names of elements of a challenge hold:
// Cloudflare, DataDome, Imperva, Akamai, HUMAN, AWS WAF, Sucuri, Anubis, DDoS-Guard.
var guardCode = []string{
	"_cf_chl_opt", "/challenge-platform/h/b/orchestrate/", "cf-challenge-running",
	"captcha-delivery.com", "_incapsula_resource?cwudnsai", "_incapsula_resource?incident",
	"sec-if-cpt-container", "/_sec/cp_challenge/", "bm-verify=",
	"px-captcha", "gokuprops", "sucuri_cloudproxy_js", "anubis_challenge", ".within.website/x/cmd/anubis",
	"/.well-known/ddos-guard/check",
}

// guardTexts are pairs of phrases that only a guard's page holds together.
var guardTexts = [][2]string{
	{"incapsula incident id", ""},
	{"access denied", "errors.edgesuite.net"},
	{"access denied", "sucuri website firewall"},
	{"the requested url was rejected", "support id"},
	{"checking your browser before accessing", ""},
	{"enable javascript and cookies to continue", ""},
	{"vercel security checkpoint", ""},
}

// A challenge of any other make has a title that says so, asks for it in its text,
// and holds a widget to solve.
var (
	guardHeads = []string{
		"just a moment", "one moment", "attention required", "you are human", "you are a human", "are you human", "a robot", "checking your browser",
		"human verification", "robot check", "bot check", "security check", "security verification", "pardon our interruption", "ddos protection",
		"ein mensch sind", "kein roboter", "sicherheitsprüfung", "sicherheitsüberprüfung", "einen moment",
		"un instant", "vérification de sécurité", "êtes humain", "un momento", "verificación de seguridad", "eres humano",
		"verifica di sicurezza", "controllo di sicurezza", "beveiligingscontrole", "säkerhetskontroll", "sikkerhedskontrol", "sikkerhetskontroll", "sikkerhetssjekk",
	}
	guardDemands = []string{
		"you are human", "you are a human", "you're human", "not a robot", "not a bot", "the captcha", "unusual traffic", "automated requests", "your browser", "this browser",
		"ein mensch sind", "kein roboter", "ihren browser", "ungewöhnlich", "pas un robot", "êtes humain", "votre navigateur",
		"no eres un robot", "no es un robot", "eres humano", "su navegador", "non sei un robot", "sei umano", "geen robot", "een mens bent", "uw browser",
		"inte är en robot", "är en människa", "din webbläsare", "ikke er en robot", "er et menneske", "din browser", "nettleseren din",
	}
	guardWidgets = []string{"captcha", "turnstile", "challenge", "arkoselabs", "geetest"}
)

var parkedCode = []string{
	"sedoparking.com", "sedo.com/search/details", "parkingcrew.net", "d38psrni17bvxu.cloudfront.net", "bodis.com", "parklogic.com",
	"dan.com/buy-domain", "afternic.com/forsale", "/parking-lander/", "hugedomains.com/domain_profile", "undeveloped.com/buy-domain", "skenzo.com",
}

var parkedPhrases = []string{
	"domain is for sale", "domain may be for sale", "domain name is for sale", "domain for sale", "buy this domain", "domain is parked", "domain name is parked",
	"parked domain", "domain has expired", "domain steht zum verkauf", "domain ist zu verkaufen", "domain ist geparkt", "domain wurde geparkt",
	"domæne er til salg", "domænet er til salg", "domænet er parkeret", "domän är till salu", "domänen är till salu", "domänen är parkerad",
	"domenet er til salgs", "domenet er parkert", "domaine est à vendre", "domaine est en vente", "domaine est parqué",
	"dominio está en venta", "dominio está a la venta", "dominio è in vendita", "dominio è parcheggiato", "domein is te koop", "domeinnaam is te koop", "domein is geparkeerd",
}

var loginHeads = []string{
	"log in", "login", "log on", "sign in", "signin", "password required", "anmelden", "anmeldung", "einloggen", "passwort",
	"log ind", "logga in", "logg inn", "connexion", "se connecter", "connectez-vous", "identification",
	"iniciar sesión", "inicie sesión", "acceso", "accedi", "accesso", "inloggen", "aanmelden",
}

// A notice of maintenance says so in its head, and in its text that one may come
// again.
var (
	maintenanceHeads = []string{
		"maintenance", "be right back", "back soon", "back shortly", "temporarily unavailable", "temporarily offline", "temporarily down", "temporarily closed for",
		"wartung", "vorübergehend nicht", "vorübergehend offline", "gleich zurück", "bald zurück",
		"vedligehold", "midlertidigt", "underhåll", "tillfälligt", "vedlikehold", "midlertidig",
		"temporairement indisponible", "momentanément indisponible", "mantenimiento", "temporalmente", "manutenzione", "temporaneamente",
		"onderhoud", "tijdelijk niet", "tijdelijk offline", "manutenção", "konserwacj", "huoltokatko",
	}
	maintenanceReturns = []string{
		"back soon", "back shortly", "back online", "be back", "right back", "again later", "again soon", "again shortly", "again in a", "check back", "come back later", "few minutes",
		"in kürze", "bald wieder", "wieder für sie da", "wieder erreichbar", "später erneut", "später noch einmal", "später wieder", "gleich wieder",
		"snart tilbage", "tilbage igen", "prøv igen", "online igen", "snart tillbaka", "försök igen", "tillbaka igen", "snart tilbake", "prøv igjen", "tilbake igjen",
		"bientôt de retour", "de retour", "plus tard", "quelques minutes", "quelques instants",
		"volveremos", "vuelva a intentarlo", "inténtelo", "más tarde", "de vuelta", "unos minutos", "torneremo", "più tardi", "riprova", "di nuovo online", "qualche minuto",
		"snel weer", "weer online", "straks terug", "zo terug", "later opnieuw", "het later", "binnenkort weer", "voltaremos", "mais tarde", "zapraszamy później", "pian takaisin",
	}
)
