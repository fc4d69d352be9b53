package testsite

import "net/http"

// walls are pages that stand in place of a site's own, by the names that Script
// takes.
var walls = map[string]func() Fault{
	"bot-guard": BotGuard, "login-wall": LoginForm, "maintenance": Notice, "login-redirect": LoginWall,
}

// BotGuard answers 403 with a challenge for robots, as a guard before the site would.
func BotGuard() Fault {
	page := whole(http.StatusForbidden, "Wait a second", `<h1>Checking that you are not a robot</h1><div id="challenge-box"></div>
<noscript>Switch scripts and cookies on to go on to the site.</noscript><script>window._cf_chl_opt = {ray: "0"};</script>`)
	return func(r *http.Request, a *Answer) {
		page(r, a)
		a.Header.Set("Cf-Mitigated", "challenge")
	}
}

// LoginForm answers every request with a form for a password, at its own address.
func LoginForm() Fault {
	return whole(http.StatusOK, "Sign in to the town's pages", `<form method="post"><input name="user"><input type="password" name="secret"><button>Go</button></form>`)
}

// Notice answers 200 with a page that speaks of maintenance: the server should have
// said 503. It asks robots not to index it.
func Notice() Fault {
	return whole(http.StatusOK, "Maintenance", `<meta name="robots" content="noindex"><p>The town's pages get new clothes and will be back online in an hour.</p>`)
}

// whole answers with a page that has nothing of the site.
func whole(status int, title, body string) Fault {
	text := "<!DOCTYPE html><html><head><title>" + title + "</title></head><body>" + body + "</body></html>"
	return func(_ *http.Request, a *Answer) {
		a.Status, a.Body = status, []byte(text)
		a.Header = http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	}
}
