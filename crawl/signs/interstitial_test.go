package signs

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

const (
	guardWall  = document.HostBotGuard
	loginWall  = document.HostLoginWall
	workWall   = document.HostMaintenance
	parkedWall = document.HostParked
	password   = `<form method="post"><label>Name <input name="u"></label><input type="Password" name="p"><button>OK</button></form>`
	menu       = `<nav><a href="/">Home</a><a href="/news/">News</a><a href="/about">About</a><a href="/contact">Contact</a></nav>`
)

// interstitialPages are walls of several makes and languages, and pages that resemble them.
// A title stands before the first bar, the body behind it.
var interstitialPages = []struct {
	what   string
	url    string // empty: a page of the site
	status int    // 0: 200
	header string
	page   string
	want   document.HostState
}{
	{"Cloudflare by its header", "", 403, "Cf-Mitigated: challenge", "Hold on|", guardWall},
	{"Cloudflare with 200 and no title", "", 0, "cf-mitigated: challenge", "|" + strings.Repeat("long text ", 400), guardWall},
	{"Cloudflare by its script", "", 503, "", "A moment|<script>(function(){window._cf_chl_opt={cType:'managed'}})()</script>", guardWall},
	{"AWS WAF by its header", "", 202, "X-Amzn-Waf-Action: challenge", "|", guardWall},
	{"AWS WAF, a puzzle", "", 405, "x-amzn-waf-action: captcha", "Puzzle|", guardWall},
	{"AWS WAF by its script", "", 0, "", "|<script>window.gokuProps = {key:''};</script>", guardWall},
	{"Vercel", "", 429, "X-Vercel-Mitigated: challenge", "Vercel|", guardWall},
	{"DataDome by its frame", "", 403, "", `shop.test|<iframe src="https://geo.captcha-delivery.com/interstitial/"></iframe>`, guardWall},
	{"Imperva by its incident", "", 0, "", `|<iframe>Request failed</iframe><p>Incapsula incident ID: 33-12</p>`, guardWall},
	{"Imperva by its frame", "", 403, "", `|<iframe src="/_Incapsula_Resource?CWUDNSAI=9"></iframe>`, guardWall},
	{"Akamai's refusal", "", 403, "", "Access Denied|<h1>Access Denied</h1>Reference #18.2 https://errors.edgesuite.net/18.2", guardWall},
	{"Akamai's puzzle", "", 0, "", `|<div id="sec-if-cpt-container"></div>`, guardWall},
	{"HUMAN", "", 403, "", `Denied|<div id="px-captcha"></div>`, guardWall},
	{"Sucuri's script", "", 0, "", "You are being redirected...|<script>var sucuri_cloudproxy_js='';</script>", guardWall},
	{"Sucuri's refusal", "", 403, "", "Sucuri WebSite Firewall - Access Denied|<p>Sucuri website firewall</p>", guardWall},
	{"Anubis", "", 0, "", `Making sure|<script id="anubis_challenge" type="application/json">{}</script>`, guardWall},
	{"DDoS-Guard", "", 403, "", `DDoS-Guard|<script src="/.well-known/ddos-guard/check?context=free"></script>`, guardWall},
	{"F5 with 200", "", 0, "", "Request Rejected|The requested URL was rejected. Ask your administrator. Your support ID is: 17", guardWall},
	{"a guard of one's own", "", 0, "", `Are you human?|<p>Tick the box to show that you are human.</p><div id="g-recaptcha"></div>`, guardWall},
	{"a guard in German", "", 429, "", `Sicherheitsprüfung|<p>Bitte zeigen Sie, dass Sie ein Mensch sind.</p><script src="https://js.hcaptcha.com/1/api.js"></script>`, guardWall},
	{"a guard in French", "", 403, "", `Un instant|<p>Montrez que vous n’êtes pas un robot</p><script src="/turnstile/v0/api.js"></script>`, guardWall},
	{"a guard in Spanish", "", 0, "", `Un momento|<p>Confirme que no es un robot</p><form action="/captcha"></form>`, guardWall},
	{"a guard in Swedish", "", 0, "", `Säkerhetskontroll|<p>Visa att du inte är en robot</p><form action="/captcha"></form>`, guardWall},
	{"a guard with scripts off", "", 0, "", `Loading|<noscript>Please enable JavaScript and cookies to continue</noscript>`, guardWall},
	{"a guard's 403 that is nobody's in particular", "", 403, "", "Forbidden|<p>You may not read this.</p>", ""},
	{"a good page behind Cloudflare", "", 0, "Cf-Ray: 8f-CPH", `Hours|<p>Nine to four</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`, ""},
	{"a good page behind Imperva", "", 0, "", `Hours|<p>Nine to four</p><script src="/_Incapsula_Resource?SWJIYLWA=7"></script>`, ""},
	{"a good page behind HUMAN", "", 0, "", `Hours|<p>Nine to four</p><script>window._pxAppId='PX1'</script>`, ""},
	{"a good page behind DataDome", "", 0, "X-Datadome: protected", `Hours|<p>Nine to four</p>`, ""},
	{"a blog on captchas", "", 0, "", "Are you a robot?|" + menu + "<article><p>Not a robot, says the captcha, and we wonder why.</p></article>", ""},
	{"a story of robots", "", 0, "", "A robot in the library|<p>He was not a robot, but he read like one.</p>", ""},
	{"a contact form with a captcha", "", 0, "", `Contact|<p>Write to us.</p><form action="/send"><textarea></textarea></form><script src="https://www.google.com/recaptcha/api.js"></script>`, ""},
	{"a long page that quotes a guard", "", 0, "", "Just a moment|" + strings.Repeat("<p>Enable JavaScript and cookies to continue.</p>", 60), ""},

	{"a login form in English", "", 0, "", "Log in - Intranet|" + password, loginWall},
	{"a login form with menu and help", "", 0, "", "Intranet|<h1>Sign in</h1>" + password + `<a href="/forgot">Forgot?</a><a href="/help">Help</a>`, loginWall},
	{"a login form in German", "", 0, "", "Anmeldung|" + password, loginWall},
	{"a login form in Danish", "", 0, "", "Log ind på medarbejdernettet|" + password, loginWall},
	{"a login form in Swedish", "", 0, "", "Logga in|" + password, loginWall},
	{"a login form in Norwegian", "", 0, "", "Logg inn|" + password, loginWall},
	{"a login form in French", "", 0, "", "Espace client|<h2>Se connecter</h2>" + password, loginWall},
	{"a login form in Spanish", "", 0, "", "Iniciar sesión|" + password, loginWall},
	{"a login form in Italian", "", 0, "", "Accedi|" + password, loginWall},
	{"a login form in Dutch", "", 0, "", "Inloggen|" + password, loginWall},
	{"a login form without a word", "", 0, "", "|" + password, loginWall},
	{"a hand-over to another's login", "", 0, "", `Working|<form method="post" action="https://idp.test/sso"><input type="hidden" name="SAMLRequest" value="x"></form>`, loginWall},
	{"a server's own question", "", 401, "", "Unauthorized|", loginWall},
	{"a login page at its place", "https://a.test/login", 0, "", "Log in|" + password, ""},
	{"a German login page at its place", "https://a.test/intern/Anmelden.aspx?to=%2F", 0, "", "Anmelden|" + password, ""},
	{"WordPress's login at its place", "https://a.test/wp-login.php", 0, "", "Log In|" + password, ""},
	{"a page with a login box in its header", "", 0, "", "Opening hours|<header><h2>Log in</h2>" + password + "</header><p>Nine to four.</p>", ""},
	{"a page with a login box at its side", "", 0, "", "How to log in|<aside>" + password + "</aside><p>Ask at the desk.</p>", ""},
	{"a page for a new password", "", 0, "", "Choose a new secret|" + password + password, ""},
	{"an article that explains the login", "", 0, "", "How to log in to the library|<article><p>Take your card.</p></article>", ""},
	{"a page whose menu is long", "", 0, "", "Log in to win|" + strings.Repeat(menu, 4) + password, ""},

	{"maintenance in English with 200", "", 0, "", "Down for maintenance|<h1>We'll be back soon</h1><p>We are at it.</p>", workWall},
	{"maintenance with 503", "", 503, "", "Maintenance|<p>Unavailable for a short while. Check back in a minute.</p>", workWall},
	{"maintenance in German", "", 0, "", "Wartungsarbeiten|<p>Unsere Seite ist bald wieder für Sie da.</p>", workWall},
	{"maintenance in Danish", "", 0, "", "Vedligeholdelse|<p>Hjemmesiden er snart tilbage.</p>", workWall},
	{"maintenance in Swedish", "", 0, "", "Underhåll pågår|<p>Försök igen om en stund.</p>", workWall},
	{"maintenance in Norwegian", "", 0, "", "Vedlikehold|<p>Vi er snart tilbake.</p>", workWall},
	{"maintenance in French", "", 0, "", "Site en maintenance|<p>Nous serons bientôt de retour.</p>", workWall},
	{"maintenance in Spanish", "", 0, "", "En mantenimiento|<p>Volveremos en unos minutos.</p>", workWall},
	{"maintenance in Italian", "", 0, "", "Sito in manutenzione|<p>Torneremo presto.</p>", workWall},
	{"maintenance in Dutch", "", 0, "", "Onderhoud|<p>De website is snel weer bereikbaar.</p>", workWall},
	{"an article on works in the harbour", "", 0, "", "Maintenance works in the harbour|" + menu + "<p>Quay 3 is closed; ships will be back soon.</p>", ""},
	{"a short note on works in the harbour", "", 0, "", "Maintenance of quay 3|<p>Closed until Friday. Ships use quay 4.</p>", ""},
	{"a dated note of maintenance", "", 0, "", "Maintenance on Sunday|<time>2026-03-04</time><p>The ticket machines will be back online at noon.</p>", ""},
	{"a firm that maintains", "", 0, "", "Wartung und Service|" + menu + "<p>Wir sind gleich wieder bei Ihnen.</p>", ""},
	{"a shop that is closed for the season", "", 0, "", "Closed|<p>We will be back soon.</p>", ""},

	{"Sedo", "", 0, "", `a.test|<script src="//img.sedoparking.com/js/x.js"></script>`, parkedWall},
	{"ParkingCrew", "", 0, "", `a.test|<p>Related searches</p><script src="http://www.parkingcrew.net/jsparkcaf.php"></script><a href="/privacy">Privacy</a>`, parkedWall},
	{"Bodis", "", 0, "", `|<script src="https://parking.bodis.com/x.js"></script>`, parkedWall},
	{"GoDaddy", "", 0, "", `|<script>window.location.href="/lander"</script><script src="https://img1.wsimg.com/parking-lander/static/js/main.js"></script>`, parkedWall},
	{"Dan", "", 0, "", `a.test|<a href="https://dan.com/buy-domain/a.test">Buy</a>`, parkedWall},
	{"Afternic", "", 0, "", `a.test is for sale|<a href="https://www.afternic.com/forsale/a.test">Get price</a>`, parkedWall},
	{"a seller's page in words", "", 0, "", "a.test|<h1>This domain is for sale</h1>", parkedWall},
	{"a seller's page in German", "", 0, "", "a.test|<p>Die Domain steht zum Verkauf: a.test</p>", parkedWall},
	{"a seller's page in Danish", "", 0, "", "a.test|<p>Domænet er til salg</p><p>a.test</p>", parkedWall},
	{"a seller's page in French", "", 0, "", "Ce domaine est à vendre|", parkedWall},
	{"a seller's page in Dutch", "", 0, "", "Deze domeinnaam is te koop|", parkedWall},
	{"an expired domain", "", 0, "", "a.test|<p>The domain has expired. Is a.test yours? Renew it.</p>", parkedWall},
	{"a trader's page of a name", "", 0, "", "b.test - this domain is for sale|" + menu + "<p>Ask for a price. b.test, a.test</p>", ""},
	{"a trader's list with partners", "", 0, "", `Our partners|` + menu + `<a href="https://sedo.com/search/details/?x">Sedo</a>`, ""},
	{"a note on how to buy names", "", 0, "", "Names|<p>When a domain has expired, wait for thirty days.</p>", ""},
	{"a car park", "", 0, "", "Parking|<p>The car park at the town hall is for sale.</p>", ""},

	{"a short page", "", 0, "", "Hours|<p>Nine to four.</p>", ""},
	{"an empty page", "", 0, "", "|", ""},
	{"an error page", "", 500, "", "Internal Server Error|<p>Please try again later.</p>", ""},
}

func TestFindInterstitial(t *testing.T) {
	for _, c := range interstitialPages {
		title, body, _ := strings.Cut(c.page, "|")
		root, err := html.Parse(strings.NewReader("<!doctype html><title>" + title + "</title><body>" + body))
		if err != nil {
			t.Fatal(err)
		}
		header := http.Header{}
		if name, value, ok := strings.Cut(c.header, ": "); ok {
			header.Set(name, value)
		}
		if c.url == "" {
			c.url = "https://www.a.test/some/page"
		}
		if c.status == 0 {
			c.status = http.StatusOK
		}
		if got, why := FindInterstitial(c.url, c.status, header, root); got != c.want || (why == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q (%s)", c.what, got, c.want, why)
		}
	}
}

// TestLoginRedirects: which redirects ask for a login.
func TestLoginRedirects(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"/a", "/login", true},
		{"/a", "/login/?next=%2Fa", true},
		{"/a", "/Account/Login.aspx?ReturnUrl=%2Fa", true},
		{"/a", "/wp-login.php?redirect_to=a", true},
		{"/a", "/user/sign-in", true},
		{"/a", "/saml2/idp/start", true},
		{"/a", "/oauth2/authorize?client_id=1", true},
		{"/a", "/auth/realms/town/protocol/openid-connect/auth", true},
		{"/a", "https://login.microsoftonline.com/common", true},
		{"/a", "https://accounts.google.com/v3/signin/identifier", true},
		{"/a", "https://town.okta.com/app", true},
		{"/a", "https://sso.town.test/start", true},
		{"/a", "https://login.town.test/", true},
		{"/a", "/mon-compte/connexion", true},
		{"/a", "/login-help", false},
		{"/a", "/blog/how-to-login-safely", false},
		{"/a", "/kurse/anmeldung", false},
		{"/a", "/b?from=/login", false},
		{"/a", "https://other.test/a", false},
		{"/a", "https://authors.test/a", false},
		{"/a", "https://oktaberfest.test/", false},
		{"/login", "/en/login", false},
		{"/login/", "https://login.microsoftonline.com/", false},
	} {
		from, to := "https://a.test"+c.from, c.to
		if strings.HasPrefix(to, "/") {
			to = "https://a.test" + to
		}
		if got := AsksForLogin(from, to); got != c.want {
			t.Errorf("%s to %s: %t", c.from, c.to, got)
		}
	}
}
