package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var openedLink = regexp.MustCompile(`(http://\S+)/\?token=[A-Z2-7]+`)

// browser is an owner who opened the pages of ui.
type browser struct {
	link    string // that was followed
	address string // of the pages
}

// openPages follows the link in a file, the output of ui, unless that is done already.
func (w *world) openPages(ts *testscript.TestScript, file string) *browser {
	var link []string
	await(ts, "a link in "+file, func() bool {
		raw, _ := os.ReadFile(ts.MkAbs(file)) // it is written yet
		link = openedLink.FindStringSubmatch(string(raw))
		return link != nil
	})
	if w.browser == nil || w.browser.link != link[0] {
		answer, err := http.Get(link[0])
		ts.Check(err)
		ts.Check(answer.Body.Close())
		secret, _, _ := strings.Cut(answer.Request.URL.Path[1:], "/")
		w.browser = &browser{link: link[0], address: link[1] + "/" + secret}
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
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", "", err
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if answer.Header.Get("Refresh") != "" {
		again = strings.TrimPrefix(answer.Request.URL.String(), b.address)
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
