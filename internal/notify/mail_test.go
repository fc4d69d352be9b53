package notify_test

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
	"testing"
	"time"

	"sitesync/internal/notify"
)

// A mail arrives as it was written, at those whom the configuration names and nobody
// else, over a connection that is encrypted before the password is told.
func TestMail(t *testing.T) {
	for _, mode := range []string{"starttls", "tls"} {
		t.Run(mode, func(t *testing.T) {
			s := newMailServer(t, mode, nil, nil)
			began := time.Now().Truncate(time.Second)
			if err := fault((&notify.Notifier{Mail: s.Mail}).Send(t.Context(), message())); err != nil {
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
		"From": "<sitesync@example.com>", "To": "<web@example.com>, <editor@example.com>", "Bcc": "", "Auto-Submitted": "auto-generated",
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
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%s, %v", kind, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for _, want := range [...]struct{ kind, text string }{{"text/plain; charset=UTF-8", message().Report}, {"text/html; charset=UTF-8", message().HTML}} {
		part, err := parts.NextPart() // which decodes what is quoted-printable
		if err != nil || part.Header.Get("Content-Type") != want.kind {
			t.Fatalf("%v, %v", part, err)
		}
		body, err := io.ReadAll(part)
		if got := strings.ReplaceAll(string(body), "\r\n", "\n"); err != nil || strings.TrimSpace(got) != strings.TrimSpace(want.text) {
			t.Errorf("body %q, %v", got, err)
		}
	}
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("a third part: %v", err)
	}
}

// A page that is too large for a mail is left out of it.
func TestLargePage(t *testing.T) {
	s, large := newMailServer(t, "tls", nil, nil), message()
	large.HTML = strings.Repeat("long ", 1<<18)
	if err := fault((&notify.Notifier{Mail: s.Mail}).Send(t.Context(), large)); err != nil {
		t.Fatal(err)
	}
	if m := s.mails[0]; len(m) > 1<<16 || !strings.Contains(m, "Content-Type: text/plain") || strings.Contains(m, "text/html") {
		t.Errorf("%.300q", m)
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
			err := fault((&notify.Notifier{Mail: s.Mail}).Send(t.Context(), message()))
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
	if err := fault((&notify.Notifier{Mail: s.Mail}).Send(ctx, message())); err == nil || err.Error() != "notify.mail: 127.0.0.1 did not take the mail in time" {
		t.Error(err)
	}
}
