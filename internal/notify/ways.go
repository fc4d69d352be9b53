package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/wneessen/go-mail"
)

// SignatureHeader is the header with the time and the signature of a message: "t=SECONDS,v1=HEX". The
// signature is the HMAC-SHA256 (RFC 2104) of the time in Unix seconds, a dot and the body.
const SignatureHeader = "Sitesync-Signature"

func (n *Notifier) hook(ctx context.Context, body []byte) error {
	header := http.Header{"Content-Type": {"application/json"}}
	if n.HookSecret != "" {
		seconds := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, []byte(n.HookSecret))
		mac.Write(append([]byte(seconds+"."), body...))
		header.Set(SignatureHeader, "t="+seconds+",v1="+hex.EncodeToString(mac.Sum(nil)))
	}
	return n.call(ctx, http.MethodPost, n.Hook, header, body)
}

// Alive calls the URL in Ping, unless it is empty. The service at that URL can raise an alarm when the calls
// stop. After a failed run, Alive adds "/fail" to the path.
func (n *Notifier) Alive(ctx context.Context, failed bool) error {
	address, err := url.Parse(n.Ping)
	if n.Ping == "" {
		return nil
	}
	if err != nil { // err quotes the address, which may hold a token
		return errors.New("notify.ping: the address can't be used")
	}
	if failed {
		address = address.JoinPath("fail")
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	if err := n.call(ctx, http.MethodGet, address.String(), http.Header{}, nil); err != nil {
		return fmt.Errorf("notify.ping: %w", err)
	}
	return nil
}

// call makes a request, and repeats it once after a failure that may be temporary. The address may hold a
// token, so errors name only the host. call follows no redirect, because that could give the token to others.
func (n *Notifier) call(ctx context.Context, method, address string, header http.Header, body []byte) error {
	transport := n.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
		if err != nil {
			return struct{}{}, backoff.Permanent(errors.New("the address can't be used"))
		}
		req.Header = header.Clone()
		req.Header.Set("User-Agent", n.UserAgent)
		if user := req.URL.User; user != nil {
			password, _ := user.Password()
			req.SetBasicAuth(user.Username(), password)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return struct{}{}, fmt.Errorf("call %s: %w", req.URL.Host, err)
		}
		defer resp.Body.Close()
		_, _ = io.CopyN(io.Discard, resp.Body, 1<<16)
		if resp.StatusCode >= 200 && resp.StatusCode < 300 {
			return struct{}{}, nil
		}
		err = fmt.Errorf("%s answered with HTTP status %d", req.URL.Host, resp.StatusCode)
		if resp.StatusCode < 500 && resp.StatusCode != http.StatusTooManyRequests {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithMaxTries(2), backoff.WithBackOff(backoff.NewConstantBackOff(n.Pause)))
	return err
}

// MaxPage is the limit in bytes of the HTML page of a mail. A larger page is left out of the mail.
const MaxPage = 1 << 20

func (m *Mail) compose(message *Message) (*mail.Msg, error) {
	msg := mail.NewMsg()
	if err := msg.From(m.From); err != nil {
		return nil, err
	}
	if err := msg.To(m.To...); err != nil {
		return nil, err
	}
	msg.Subject("sitesync: " + strings.Join(strings.Fields(message.Sentence), " "))
	msg.SetDate()
	msg.SetMessageID()
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: prevents automatic replies
	msg.SetBodyString(mail.TypeTextPlain, message.Report)
	if message.HTML != "" && len(message.HTML) <= MaxPage {
		msg.AddAlternativeString(mail.TypeTextHTML, message.HTML)
	}
	return msg, nil
}

func (m *Mail) send(ctx context.Context, message *Message) error {
	msg, err := m.compose(message)
	if err != nil {
		return err
	}
	config := &tls.Config{ServerName: m.Host, RootCAs: m.Roots, MinVersion: tls.VersionTLS12}
	policies := map[string]mail.TLSPolicy{
		"starttls": mail.TLSMandatory, "none": mail.NoTLS,
		"tls": mail.TLSOpportunistic, // the dial function below already encrypts the connection
	}
	options := []mail.Option{
		mail.WithPort(m.Port), mail.WithTimeout(Timeout),
		mail.WithTLSConfig(config), mail.WithTLSPolicy(policies[m.TLS]),
		mail.WithDialContextFunc(func(dialing context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(dialing, network, address)
			if err != nil {
				return nil, err
			}
			context.AfterFunc(ctx, func() { _ = conn.Close() }) // the library obeys ctx only while connecting
			if m.TLS == "tls" {
				return tls.Client(conn, config), nil
			}
			return conn, nil
		}),
	}
	if m.User != "" {
		auth := mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover)
		options = append(options, auth, mail.WithUsername(m.User), mail.WithPassword(m.Password))
	}
	client, err := mail.NewClient(m.Host, options...)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, msg)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%s did not take the mail in time", m.Host)
	}
	if err != nil {
		return fmt.Errorf("%s did not take the mail: %s", m.Host, m.wash(err.Error()))
	}
	return nil
}

// wash removes the password from the answer of a server, because some servers quote the request.
func (m *Mail) wash(said string) string {
	if m.Password == "" {
		return said
	}
	quoted := strings.Trim(strconv.Quote(m.Password), `"`) // net/textproto quotes answers in its errors
	for _, secret := range []string{"\x00" + m.User + "\x00" + m.Password, m.Password} {
		said = strings.ReplaceAll(said, base64.StdEncoding.EncodeToString([]byte(secret)), "***")
	}
	return strings.NewReplacer(m.Password, "***", quoted, "***").Replace(said)
}

func (n *Notifier) runCommand(ctx context.Context, body []byte) error {
	cmd := exec.CommandContext(ctx, n.Command[0], n.Command[1:]...) //nolint:gosec // from the configuration
	var said tail
	cmd.Stdin, cmd.Stderr, cmd.Env, cmd.WaitDelay = bytes.NewReader(body), &said, n.Env, time.Second
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s was ended after %s", n.Command[0], Timeout)
	case len(said) > 0:
		return fmt.Errorf("%s: %w: %s", n.Command[0], err, bytes.TrimSpace(said))
	}
	return fmt.Errorf("%s: %w", n.Command[0], err)
}

type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	if over := len(*t) - 1000; over > 0 {
		*t = (*t)[over:]
	}
	return len(p), nil
}
