package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	openedLink = regexp.MustCompile(`(http://\S+)/\?token=[A-Z2-7]+`)
	formSecret = regexp.MustCompile(`name="form" value="([^"]+)"`)
)

// browser is an owner who opened the pages of ui.
type browser struct {
	client       http.Client
	address      string
	form, output string
}

// openPages follows the link in a file, the output of ui, unless that is done already.
func (w *world) openPages(ts *testscript.TestScript, file string) *browser {
	var link []string
	await(ts, "a link in "+file, func() bool {
		raw, _ := os.ReadFile(ts.MkAbs(file)) // it is written yet
		link = openedLink.FindStringSubmatch(string(raw))
		return link != nil
	})
	if w.browser == nil || w.browser.output != link[0] {
		jar, err := cookiejar.New(nil)
		ts.Check(err)
		w.browser = &browser{client: http.Client{Jar: jar}, address: link[1], output: link[0]}
		_, _, err = w.browser.ask(http.MethodGet, strings.TrimPrefix(link[0], link[1]), nil)
		ts.Check(err)
	}
	return w.browser
}

// ask asks for a page and returns its status and HTML; it waits for something as long as
// again is not empty: then that is the page to ask for.
func (b *browser) ask(method, path string, values url.Values) (page, again string, err error) {
	r, err := http.NewRequest(method, b.address+path, strings.NewReader(values.Encode()))
	if err != nil {
		return "", "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := b.client.Do(r)
	if err != nil {
		return "", "", err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if found := formSecret.FindSubmatch(raw); found != nil {
		b.form = string(found[1])
	}
	if answer.Header.Get("Refresh") != "" {
		again = answer.Request.URL.RequestURI()
	}
	return answer.Status + "\n" + string(raw), again, err
}

func pageCommand(ts *testscript.TestScript, _ bool, args []string) {
	b := theWorld(ts).openPages(ts, args[0])
	method, values := http.MethodGet, url.Values{}
	for _, arg := range args[2:] {
		name, value, _ := strings.Cut(arg, "=")
		method = http.MethodPost
		values.Set(name, value)
	}
	values.Set("form", b.form)
	page, again, err := b.ask(method, args[1], values)
	ts.Check(err)
	await(ts, args[1], func() bool {
		if again != "" {
			page, again, err = b.ask(http.MethodGet, again, nil)
			ts.Check(err)
		}
		return again == ""
	})
	_, err = fmt.Fprintln(ts.Stdout(), page)
	ts.Check(err)
}
