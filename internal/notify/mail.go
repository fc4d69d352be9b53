package notify

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"os/exec"
	"time"

	"github.com/wneessen/go-mail"
)

// send sends the message as plain text.
func (m *Mail) send(ctx context.Context, message *Message) error {
	msg := mail.NewMsg()
	if err := msg.From(m.From); err != nil {
		return err
	}
	if err := msg.To(m.To...); err != nil {
		return err
	}
	msg.Subject("sitesync: " + message.Sentence)
	msg.SetDate()
	msg.SetMessageID()
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: nobody answers that he is away
	msg.SetBodyString(mail.TypeTextPlain, message.Report)
	options := []mail.Option{
		mail.WithPort(m.Port), mail.WithTimeout(Timeout),
		mail.WithTLSConfig(&tls.Config{ServerName: m.Host, RootCAs: m.Roots, MinVersion: tls.VersionTLS12}),
	}
	switch m.TLS {
	case "tls":
		options = append(options, mail.WithSSL())
	case "none":
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if m.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(m.User), mail.WithPassword(m.Password))
	}
	client, err := mail.NewClient(m.Host, options...)
	if err != nil {
		return err
	}
	return client.DialAndSendWithContext(ctx, msg)
}

// run starts the command with the message on its standard input. It ends with the context.
func (n *Notifier) run(ctx context.Context, body []byte) error {
	cmd := exec.CommandContext(ctx, n.Command[0], n.Command[1:]...) //nolint:gosec // the owner names it
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

// tail keeps the last of what is written: a kilobyte.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	if over := len(*t) - 1000; over > 0 {
		*t = (*t)[over:]
	}
	return len(p), nil
}
