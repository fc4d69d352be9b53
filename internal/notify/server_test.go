package notify_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"sync"
	"testing"

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
		HTML:     "<!doctype html><title>12 new</title><p>Grüße = " + strings.Repeat("long ", 300) + "</p>\n",
		Report:   "12 new\n.\nQUIT\n.. Grüße, " + strings.Repeat("long ", 300) + "\n",
	}
}

// fault returns the errors of those who could not be told, each with its key.
func fault(all []notify.Sent) (err error) {
	for _, sent := range all {
		if sent.Err != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", sent.Key, sent.Err))
		}
	}
	return err
}
