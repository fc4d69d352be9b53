package notify_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/notify"
)

const secret = `canary-secret/+ %?="\=`

// mailServer is a server that takes mail: RFC 5321 with STARTTLS and AUTH PLAIN.
type mailServer struct {
	notify.Mail                   // that sends there
	says        map[string]string // answers in place of its own, by command; CONNECT is the greeting
	silent      func()            // called instead of an answer to CONNECT
	config      *tls.Config

	mu    sync.Mutex
	lines []string // that it got
	mails []string
}

func newMailServer(t *testing.T, mode string, says map[string]string, silent func()) *mailServer {
	t.Helper()
	https := httptest.NewTLSServer(nil) // for its certificate
	t.Cleanup(https.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &mailServer{says: says, silent: silent, config: &tls.Config{Certificates: https.TLS.Certificates, MinVersion: tls.VersionTLS12}}
	s.Mail = notify.Mail{
		Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port, TLS: mode, User: "owner", Password: secret,
		From: "sitesync@example.com", To: []string{"web@example.com", "editor@example.com"}, Roots: x509.NewCertPool(),
	}
	s.Roots.AddCert(https.Certificate())
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = listener.Close(); group.Wait() })
	return s
}

func (s *mailServer) serve(conn net.Conn) {
	defer conn.Close()
	encrypted := s.TLS == "tls"
	if encrypted {
		conn = tls.Server(conn, s.config)
	}
	text := textproto.NewConn(conn)
	line := "CONNECT"
	for err := error(nil); err == nil; line, err = text.ReadLine() {
		s.mu.Lock()
		s.lines = append(s.lines, line)
		s.mu.Unlock()
		verb, _, _ := strings.Cut(line, " ")
		answer, own := s.says[verb]
		switch {
		case own:
			_ = text.PrintfLine("%s", answer)
			continue
		case verb == "CONNECT" && s.silent != nil:
			s.silent()
			continue
		}
		switch verb {
		case "CONNECT":
			_ = text.PrintfLine("220 mail.example.com")
		case "EHLO":
			offer := "STARTTLS"
			if encrypted {
				offer = "AUTH PLAIN"
			}
			_ = text.PrintfLine("250-mail.example.com\r\n250 %s", offer)
		case "STARTTLS":
			_ = text.PrintfLine("220 go on")
			conn, encrypted = tls.Server(conn, s.config), true
			text = textproto.NewConn(conn)
		case "AUTH":
			_ = text.PrintfLine("235 welcome")
		case "DATA":
			_ = text.PrintfLine("354 go on")
			body, _ := text.ReadDotBytes()
			s.mu.Lock()
			s.mails = append(s.mails, string(body))
			s.mu.Unlock()
			_ = text.PrintfLine("250 taken")
		case "QUIT":
			_ = text.PrintfLine("221 bye")
			return
		default:
			_ = text.PrintfLine("250 fine")
		}
	}
}

// got returns the lines that the server got.
func (s *mailServer) got() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

// message is one with hostile text where a site can put it.
func message() *notify.Message {
	return &notify.Message{
		Text: "text", Site: "www.example.com", Result: notify.Problems, Exit: 4, Problems: []string{"brakes hold 1 change"}, Held: []document.Tripped{},
		Sentence: "www.example.com, 22 November: 12 new – “Grüße”\r\nBcc: thief@example.com\r\n\r\nanother body",
		Report:   "12 new\n.\nQUIT\n.. Grüße, " + strings.Repeat("long ", 300) + "\n",
	}
}

// A mail arrives as it was written, at those whom the configuration names and nobody
// else, over a connection that is encrypted before the password is told.
func TestMail(t *testing.T) {
	for _, mode := range []string{"starttls", "tls"} {
		t.Run(mode, func(t *testing.T) {
			s := newMailServer(t, mode, nil, nil)
			began := time.Now().Truncate(time.Second)
			if err := (&notify.Notifier{Mail: s.Mail}).Send(t.Context(), message()); err != nil {
				t.Fatal(err)
			}
			lines := s.got()
			auth := "AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00owner\x00"+secret))
			for _, want := range []string{auth, "MAIL FROM:<sitesync@example.com>", "RCPT TO:<web@example.com>", "RCPT TO:<editor@example.com>"} {
				if !strings.Contains(lines, want) {
					t.Errorf("no line %q in\n%s", want, lines)
				}
			}
			if n := strings.Count(lines, "RCPT"); n != 2 || len(s.mails) != 1 {
				t.Fatalf("%d recipients, %d mails", n, len(s.mails))
			}
			arrived(t, s.mails[0], began)
		})
	}
}

// arrived compares a mail with the message.
func arrived(t *testing.T, raw string, began time.Time) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"From": "<sitesync@example.com>", "To": "<web@example.com>, <editor@example.com>", "Bcc": "", "Auto-Submitted": "auto-generated", "Content-Type": "text/plain; charset=UTF-8",
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != "sitesync: www.example.com, 22 November: 12 new – “Grüße” Bcc: thief@example.com another body" {
		t.Errorf("Subject: %q, %v", subject, err)
	}
	date, err := m.Header.Date()
	if err != nil || date.Before(began) || date.After(time.Now()) {
		t.Errorf("Date: %v, %v", date, err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if got := strings.ReplaceAll(string(body), "\r\n", "\n"); err != nil || strings.TrimSpace(got) != strings.TrimSpace(message().Report) {
		t.Errorf("body %q, %v", got, err)
	}
}

// A server that takes no mail is named with what it said; the password is in no error and
// on no connection that is open to others.
func TestMailRefused(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte("\x00owner\x00" + secret))
	for name, test := range map[string]struct {
		mode, want string
		says       map[string]string
		strangers  bool
	}{
		"busy":         {"starttls", `421 "come back later"`, map[string]string{"CONNECT": "421 come back later"}, false},
		"login":        {"tls", `535 "no login owner *** ***"`, map[string]string{"AUTH": "535 no login owner " + secret + " " + encoded}, false},
		"recipient":    {"starttls", `550 "no such user"`, map[string]string{"RCPT": "550 no such user"}, false},
		"unencrypted":  {"starttls", "STARTTLS", map[string]string{"EHLO": "250-mail.example.com\r\n250 AUTH PLAIN LOGIN"}, false},
		"in clear":     {"none", "auth", map[string]string{"EHLO": "250-mail.example.com\r\n250 AUTH PLAIN LOGIN"}, false},
		"unknown":      {"starttls", "certificate", nil, true},
		"unknown, tls": {"tls", "certificate", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newMailServer(t, test.mode, test.says, nil)
			if test.strangers {
				s.Roots = x509.NewCertPool()
			}
			err := (&notify.Notifier{Mail: s.Mail}).Send(t.Context(), message())
			if err == nil || !strings.HasPrefix(err.Error(), "notify.mail: 127.0.0.1 did not take the mail: ") || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(test.want)) {
				t.Errorf("%v, and not %q", err, test.want)
			}
			if text := fmt.Sprint(err); strings.Contains(text, secret) || strings.Contains(text, encoded) {
				t.Errorf("the password is in %s", text)
			}
			if name != "login" && name != "recipient" && strings.Contains(s.got(), "AUTH") || len(s.mails) != 0 {
				t.Errorf("the server got %s", s.got())
			}
		})
	}
}

// A server that says nothing is left when the time is over.
func TestMailHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newMailServer(t, "starttls", nil, cancel)
	if err := (&notify.Notifier{Mail: s.Mail}).Send(ctx, message()); err == nil || err.Error() != "notify.mail: 127.0.0.1 did not take the mail in time" {
		t.Error(err)
	}
}

// The hook can verify, by what docs/notify.md says, who sent what it got; it is tried once
// more where the server fails.
func TestHook(t *testing.T) {
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tries++
		body, err := io.ReadAll(r.Body)
		if err != nil || !json.Valid(body) || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.UserAgent() != "sitesync/test" {
			t.Errorf("%s %v: %s, %v", r.Method, r.Header, body, err)
		}
		match := regexp.MustCompile(`^t=([0-9]+),v1=([0-9a-f]{64})$`).FindStringSubmatch(r.Header.Get(notify.SignatureHeader))
		if match == nil {
			t.Fatalf("%v", r.Header)
		}
		for key, want := range map[string]bool{secret: true, "another": false} {
			mac := hmac.New(sha256.New, []byte(key))
			_, _ = io.WriteString(mac, match[1]+"."+string(body))
			if got := hex.EncodeToString(mac.Sum(nil)) == match[2]; got != want {
				t.Errorf("the signature is right with %q: %v", key, got)
			}
		}
		if tries == 1 {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	defer server.Close()
	n := &notify.Notifier{Hook: server.URL + "/" + url.PathEscape(secret), HookSecret: secret, UserAgent: "sitesync/test"}
	if err := n.Send(t.Context(), message()); err != nil || tries != 2 {
		t.Errorf("%d tries, %v", tries, err)
	}
}

// What can't be told is an error without a secret, and goes nowhere else.
func TestCallsFail(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("got %s %v", r.URL, r.Header) }))
	defer elsewhere.Close()
	for name, test := range map[string]struct {
		status, tries int
		want          string
	}{
		"down": {http.StatusServiceUnavailable, 2, "answered with HTTP status 503"}, "busy": {http.StatusTooManyRequests, 2, "answered with HTTP status 429"},
		"gone": {http.StatusGone, 1, "answered with HTTP status 410"}, "moved": {http.StatusTemporaryRedirect, 1, "answered with HTTP status 307"},
		"hangs": {0, 1, "context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			for key, call := range map[string]func(context.Context, *notify.Notifier) error{
				"notify.hook": func(ctx context.Context, n *notify.Notifier) error { n.Ping = ""; return n.Send(ctx, message()) },
				"notify.ping": func(ctx context.Context, n *notify.Notifier) error { return n.Alive(ctx, true) },
			} {
				ctx, cancel := context.WithCancel(t.Context())
				tries := 0
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					tries++
					_, _ = io.Copy(io.Discard, r.Body)
					if test.status == 0 {
						cancel()
						<-r.Context().Done()
						return
					}
					w.Header().Set("Location", elsewhere.URL+"/"+r.URL.Path)
					w.WriteHeader(test.status)
				}))
				address := server.URL + "/" + url.PathEscape(secret)
				err := call(ctx, &notify.Notifier{Hook: address, HookSecret: secret, Ping: address})
				cancel()
				server.Close()
				if err == nil || !strings.HasPrefix(err.Error(), key+": ") || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "canary") || tries != test.tries {
					t.Errorf("%d tries, %v", tries, err)
				}
			}
		})
	}
	if err := (&notify.Notifier{Ping: "http://127.0.0.1/canary\x01"}).Alive(t.Context(), false); err == nil || strings.Contains(err.Error(), "canary") {
		t.Error(err)
	}
}

// The file of figures is what Prometheus reads (exposition format 0.0.4), and is replaced
// in one step.
func TestMetrics(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sitesync.prom")
	f := notify.Figures{Site: "a\"b\\c\nsitesync_held{} 9", End: time.Unix(1735689600, 0), Duration: 1500 * time.Millisecond, Exit: 4, Documents: -1}
	write := func() map[string]string {
		t.Helper()
		if err := notify.WriteMetrics(path, f); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return samples(t, string(raw))
	}
	const site = `{site="a\"b\\c\nsitesync_held{} 9"`
	if got := write(); len(got) != 3 || got["sitesync_last_run_timestamp_seconds"+site+"}"] != "1735689600" || got["sitesync_last_run_duration_seconds"+site+"}"] != "1.5" {
		t.Errorf("%v", got)
	}
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	f.Counted, f.Documents = true, 3_000_000
	f.Summary = document.Summary{
		Kinds: document.Kinds{New: 12, Changed: 136, Deleted: 28, Moved: 10}, Counts: document.Counts{Held: 37, Unchanged: 2961, Failed: 5},
		Hosts: []document.Host{{Host: "https://a", State: document.HostOK}, {Host: `https://b"}`, State: document.HostLoginWall}},
	}
	got := write()
	for name, want := range map[string]string{
		"documents" + site + "}": "3000000", "held" + site + "}": "37", "unchanged" + site + "}": "2961", "failed" + site + "}": "5", "last_run_exit_code" + site + "}": "4",
		"changes" + site + `,kind="changed"}`: "136", "changes" + site + `,kind="moved"}`: "10",
		"host_ok" + site + `,host="https://a",state="ok"}`: "1", "host_ok" + site + `,host="https://b\"}",state="login-wall"}`: "0",
	} {
		if got["sitesync_"+name] != want {
			t.Errorf("%s is %q, not %q", name, got["sitesync_"+name], want)
		}
	}
	if raw, err := io.ReadAll(old); err != nil || len(samples(t, string(raw))) != 3 {
		t.Errorf("who reads the file while it is replaced sees %s, %v", raw, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := notify.WriteMetrics(dir, f); err == nil { // a folder is in its place
		t.Error("a folder was replaced")
	}
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		if left, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
}

// samples reads the text format: each metric's HELP and TYPE, then its samples.
func samples(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	head := regexp.MustCompile(`^# (HELP|TYPE) (sitesync_[a-z_]+) (.+)$`)
	sample := regexp.MustCompile(`^((sitesync_[a-z_]+)\{(?:[a-z]+="(?:[^"\\]|\\["\\n])*",?)+\}) ([0-9.]+)$`)
	helped, typed := map[string]bool{}, ""
	rest, ended := strings.CutSuffix(text, "\n")
	if !ended {
		t.Errorf("the last line has no end: %q", text)
	}
	for line := range strings.SplitSeq(rest, "\n") {
		h, s := head.FindStringSubmatch(line), sample.FindStringSubmatch(line)
		switch {
		case h != nil && h[1] == "HELP" && !helped[h[2]]:
			helped[h[2]] = true
		case h != nil && h[1] == "TYPE" && helped[h[2]] && h[3] == "gauge":
			typed = h[2]
		case s != nil && s[2] == typed && all[s[1]] == "":
			all[s[1]] = s[3]
		default:
			t.Errorf("the line %q is not due", line)
		}
	}
	return all
}
