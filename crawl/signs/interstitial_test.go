package signs

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

const (
	guardWall = document.BotGuard
	loginWall = document.LoginWall
	workWall  = document.Maintenance
	password  = `<form method="post"><label>Name <input name="u"></label><input type="Password" name="p"><button>OK</button></form>`
	menu      = `<nav><a href="/">Home</a><a href="/news/">News</a><a href="/about">About</a><a href="/contact">Contact</a></nav>`
)

// interstitialPages are what stands in place of a page, and pages that resemble it. A title
// stands before the first bar, the body behind it.
var interstitialPages = []struct {
	what   string
	url    string // empty: a page of the site
	status int    // 0: 200
	header string
	page   string
	want   document.Interstitial
}{
	{"Cloudflare", "", 403, "Cf-Mitigated: challenge", "Hold on|", guardWall},
	{"Cloudflare with 200 and much text", "", 0, "cf-mitigated: challenge", "|" + strings.Repeat("long text ", 400), guardWall},
	{"AWS WAF", "", 202, "X-Amzn-Waf-Action: challenge", "|", guardWall},
	{"AWS WAF, a puzzle", "", 405, "x-amzn-waf-action: captcha", "Puzzle|", guardWall},
	{"Vercel", "", 429, "X-Vercel-Mitigated: challenge", "Vercel|", guardWall},
	{"a guard's 403 that is nobody's in particular", "", 403, "", "Forbidden|<p>You may not read this.</p>", ""},
	{"a good page behind Cloudflare", "", 0, "Cf-Ray: 8f-CPH", `Hours|<p>Nine to four</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`, ""},
	{"a good page behind DataDome", "", 0, "X-Datadome: protected", `Hours|<p>Nine to four</p>`, ""},

	{"a login form", "", 0, "", "Log in - Intranet|" + password, loginWall},
	{"a login form in any language", "", 0, "", "Přihlášení|<h1>Přihlaste se</h1>" + password, loginWall},
	{"a login form with menu and help", "", 0, "", "Intranet|" + menu + "<h1>Sign in</h1>" + password + `<a href="/forgot">Forgot?</a><a href="/help">Help</a>`, loginWall},
	{"a login form with a notice of the law below", "", 0, "", "Intranet|" + password + "<footer>" + strings.Repeat("All that you do here is written down. ", 40) + "</footer>", loginWall},
	{"a hand-over to another's login", "", 0, "", `Working|<form method="post" action="https://idp.test/sso"><input type="hidden" name="SAMLRequest" value="x"></form>`, loginWall},
	{"a server's own question", "", 401, "", "Unauthorized|", loginWall},
	{"a login page at its place", "https://a.test/login", 0, "", "Log in|" + password, ""},
	{"a German login page at its place", "https://a.test/intern/Anmelden.aspx?to=%2F", 0, "", "Anmelden|" + password, ""},
	{"WordPress's login at its place", "https://a.test/wp-login.php", 0, "", "Log In|" + password, ""},
	{"a page with a login box in its header", "", 0, "", "Opening hours|<header><h2>Log in</h2>" + password + "</header><p>Nine to four.</p>", ""},
	{"a page with a login box at its side", "", 0, "", "How to log in|<aside>" + password + "</aside><p>Ask at the desk.</p>", ""},
	{"a page with text below a login box", "", 0, "", "Club|" + password + "<p>" + strings.Repeat("We row on the lake. ", 30), ""},
	{"a page for a new password", "", 0, "", "Choose a new secret|" + password + password, ""},
	{"a page whose menu is long", "", 0, "", "Log in to win|" + strings.Repeat(menu, 4) + password, ""},

	{"maintenance", "", 503, "Retry-After: 120", "Back soon|", workWall},
	{"an overload", "", 503, "", "Service Unavailable|<p>Down for maintenance, we will be back soon.</p>", ""},
	{"words of maintenance", "", 0, "", "Down for maintenance|<h1>We'll be back soon</h1><p>We are at it.</p>", ""},

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

// TestLoginSchemes: an answer that takes a password in no way that is spoken here says so.
func TestLoginSchemes(t *testing.T) {
	for _, c := range []struct{ challenges, want string }{ // one a line
		{"NTLM", "by NTLM;"},
		{"Negotiate\nNTLM", "by Negotiate, NTLM;"},
		{"negotiate, ntlm", "by negotiate, ntlm;"},
		{`Digest realm="a, b", qop="auth", nonce="0f", algorithm=SHA-256`, "by Digest;"},
		{"Negotiate\nBasic realm=\"intranet\"", ""},
		{`Digest realm="a", nonce="b", basic realm="a"`, ""},
		{`Basic realm="NTLM"`, ""},
		{"Bearer", ""},
		{"NTLMv2 x", ""},
		{"", ""},
	} {
		header := http.Header{"Www-Authenticate": strings.Split(c.challenges, "\n")}
		_, why := FindInterstitial("https://a.test/", http.StatusUnauthorized, header, nil)
		if told := strings.Contains(why, "offer Basic"); told != (c.want != "") || !strings.Contains(why, c.want) {
			t.Errorf("%q: %s", c.challenges, why)
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
