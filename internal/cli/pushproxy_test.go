package cli_test

import (
	"bytes"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// tunnels is a proxy that leads every CONNECT with the right login to one server.
type tunnels struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // "METHOD host Proxy-Authorization Authorization"
}

func newTunnels(t *testing.T, target, login string) *tunnels {
	p := &tunnels{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked = append(p.asked, strings.Join([]string{r.Method, r.Host, r.Header.Get("Proxy-Authorization"), r.Header.Get("Authorization")}, " "))
		p.mu.Unlock()
		if r.Header.Get("Proxy-Authorization") != login {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		to, err := net.Dial("tcp", target)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer to.Close()
		from, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer from.Close()
		io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go io.Copy(to, from)
		io.Copy(from, to)
	}))
	t.Cleanup(p.Close)
	return p
}

// TestPushProxy: calls of the service go by push.proxy, whose login goes to it alone,
// and believe the authorities of push.ca_file; what is wrong names the key.
func TestPushProxy(t *testing.T) {
	w := newTown(t)
	w.site.HTML("/", "Home", "<p>Welcome</p>")
	secure := httptest.NewTLSServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { // as example.com
		r.Host = r.Context().Value(http.LocalAddrContextKey).(net.Addr).String()
		w.service.ServeHTTP(out, r)
	}))
	t.Cleanup(secure.Close)
	proxy := newTunnels(t, secure.Listener.Addr().String(), "Basic dTpjYW5hcnktOTFiMi1wYXNzd29yZA==")
	w.write(t, "ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}))
	config := filepath.Join(w.dir, "site.toml")
	login := "[[fetch.auth]]\norigin = \"" + proxy.URL + "\"\nuser = \"u\"\npassword = \"${STAGING_PASSWORD}\"\n"
	for _, test := range []struct {
		command, auth, proxy, ca string
		code                     int
		says                     string
	}{
		{"check", login, proxy.URL, "", 1, "check push.base_url, push.proxy, push.ca_file and the network"},
		{"check", login, proxy.URL, "none.pem", 2, "push.ca_file: open "},
		{"check", login, proxy.URL, "site.toml", 2, "push.ca_file: " + config + " holds no certificate"},
		{"check", "", proxy.URL, "ca.pem", 1, "the proxy " + proxy.URL + " wants a user and password (407)"},
		{"sync", "", proxy.URL + "/path", "ca.pem", 2, "push.proxy"},
		{"sync", login, proxy.URL, "ca.pem", 0, ": 1 new\n"},
		{"sync", login, "env", "ca.pem", 0, "nothing to do"},
	} {
		t.Setenv("HTTPS_PROXY", "http://u:"+password+"@"+proxy.Listener.Addr().String())
		text := "[site]\nstart = [\"" + w.site.URL() + "/\"]\n" + test.auth + "[push]\nbase_url = \"https://example.com\"\ncustomer_id = 10000001\ncrawler_id = \"site\"\n" +
			"proxy = \"" + test.proxy + "\"\nca_file = \"" + test.ca + "\"\n"
		w.write(t, "site.toml", []byte(text))
		var out bytes.Buffer
		code := w.try(t, &out, "", test.command, "-c", config)
		if code != test.code || !strings.Contains(out.String(), test.says) {
			t.Errorf("%s by %s with %q: exit code %d, want %d and %q\n%s", test.command, test.proxy, test.ca, code, test.code, test.says, out.String())
		}
		for _, secret := range []string{apiKey, password} {
			if strings.Contains(out.String(), secret) {
				t.Errorf("%s shows a secret:\n%s", test.command, out.String())
			}
		}
	}
	if got := index(t, w.service, w.site.URL()); len(got) != 1 {
		t.Errorf("the service holds %v", got)
	}
	for _, asked := range proxy.asked {
		if !strings.HasPrefix(asked, "CONNECT example.com:443 ") || !strings.HasSuffix(asked, " ") {
			t.Errorf("the proxy was asked for %q", asked)
		}
	}
}
