package bus

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// Options describe a connection to NATS: the servers and the credentials of the user.
type Options struct {
	Servers []string // addresses, such as tls://nats.example.com:4222; none: DefaultServer

	Creds string // path of a file with a JWT and its seed; empty: none
	Nkey  string // path of a file with the seed of an nkey; empty: none

	Roots     *x509.CertPool // certificate authorities for servers; nil: those of this machine
	Plaintext bool           // allow connections over a network without TLS

	// Worker is the name of the worker, a process that crawls sites. A worker reconnects when it loses its
	// connection. If Worker is empty, the user is an operator, who does not reconnect.
	Worker string
	Log    *slog.Logger
}

// DefaultServer is the usual address of a NATS server on this machine.
const DefaultServer = "nats://127.0.0.1:4222"

// Prefixes of the subjects on which users receive answers. The server lets a user read only the subjects with
// the prefix of its role, operator or worker (see deploy/nats).
const (
	operatorInbox = "_INBOX_sitesync_operator"
	workerInbox   = "_INBOX_sitesync_worker"
)

// A worker that lost its connection waits 1 to 2 times reconnectWait before each try. It closes a silent
// connection within 3 times pingInterval, long before another worker may crawl its sites.
const (
	connectTimeout = 5 * time.Second
	reconnectWait  = 2 * time.Second
	pingInterval   = 10 * time.Second
)

// Error says why a server can't be used, in words for the user of a command.
type Error struct {
	Usage bool // the user gave a wrong address, file or key
	text  string
	cause error
}

func (e *Error) Error() string { return e.text }

// Unwrap returns the error that caused e, or nil.
func (e *Error) Unwrap() error { return e.cause }

func usagef(cause error, format string, args ...any) error {
	return &Error{true, fmt.Sprintf(format, args...), cause}
}

// Dial connects to the first server that answers. Over a network it uses TLS unless o.Plaintext is set. Its
// errors are *Error.
func Dial(o Options) (*nats.Conn, error) {
	if len(o.Servers) == 0 {
		o.Servers = []string{DefaultServer}
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	secure := o.Roots != nil
	for _, address := range o.Servers {
		u, err := parseServer(address)
		if err != nil {
			return nil, err
		}
		ip, _ := netip.ParseAddr(u.Hostname())
		near := u.Hostname() == "localhost" || ip.IsLoopback()
		secure = secure || u.Scheme == "tls" || !o.Plaintext && !near
	}
	options, err := o.options()
	if err != nil {
		return nil, err
	}
	if secure {
		options = append(options, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots}))
	} else { // without TLS: a server on loopback may announce others on the network
		options = append(options, nats.IgnoreDiscoveredServers())
	}
	servers := strings.Join(o.Servers, ",")
	conn, err := nats.Connect(servers, options...)
	if err != nil {
		return nil, explainDial(servers, err)
	}
	// Without permission for its inbox a user gets no answers. Report that now, not after a timeout.
	_, err = conn.SubscribeSync(conn.NewInbox())
	if err == nil {
		err = conn.FlushTimeout(connectTimeout)
	}
	if last := conn.LastError(); err != nil || errors.Is(last, nats.ErrPermissionViolation) {
		conn.Close()
		return nil, usagef(errors.Join(err, last), "%s gives no answers to these credentials: "+
			"operators and workers have keys of their own; check --creds or --nkey", servers)
	}
	conn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		o.Log.Warn("the NATS server refuses something", "why", err)
	})
	return conn, nil
}

// parseServer parses the address of a server. Its errors never quote an address that may hold a password.
func parseServer(address string) (*url.URL, error) {
	full := address
	if !strings.Contains(full, "://") {
		full = "nats://" + full
	}
	u, err := url.Parse(full)
	switch {
	case strings.Contains(address, "@"):
		return nil, usagef(nil, "--server: an address must not hold a user name or password: "+
			"use --nkey or --creds")
	case err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "",
		strings.Contains(full, ","), u.Scheme != "nats" && u.Scheme != "tls":
		return nil, usagef(err, "--server: %.80q is no address such as nats://nats.example.com:4222; "+
			"give the flag once for each server", address)
	}
	return u, nil
}

func (o Options) options() ([]nats.Option, error) {
	options := []nats.Option{
		nats.Timeout(connectTimeout), nats.PingInterval(pingInterval), nats.PermissionErrOnSubscribe(true),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // else the library prints errors
	}
	if o.Worker == "" {
		options = append(options, nats.Name("sitesync"), nats.NoReconnect(), nats.CustomInboxPrefix(operatorInbox))
	} else {
		options = append(options, nats.Name("sitesync "+o.Worker), nats.CustomInboxPrefix(workerInbox),
			nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
			nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(reconnectWait, reconnectWait),
			nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
				if err != nil {
					o.Log.Warn("the connection to the NATS server is lost", "why", err)
				}
			}),
			nats.ReconnectHandler(func(c *nats.Conn) {
				o.Log.Info("connected to the NATS server again", "server", c.ConnectedUrlRedacted())
			}))
	}
	key, err := o.seed()
	switch {
	case err != nil || key == nil:
		return options, err
	case o.Creds != "":
		return append(options, nats.UserCredentials(o.Creds)), nil
	}
	public, err := key.PublicKey()
	return append(options, nats.Nkey(public, key.Sign)), err
}

// seed reads the user's key. It returns nil if o names no file. Its errors quote nothing from the file.
func (o Options) seed() (nkeys.KeyPair, error) {
	if o.Creds != "" && o.Nkey != "" {
		return nil, usagef(nil, "--creds and --nkey can't be used together; give one of them")
	}
	file := o.Creds + o.Nkey
	if file == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(file) //nolint:gosec // the user names the file
	if err != nil {
		return nil, usagef(err, "--creds or --nkey: %v", err)
	}
	key, err := nkeys.ParseDecoratedUserNKey(raw)
	if err != nil {
		return nil, usagef(err, "--creds or --nkey: %s holds no seed of a user (SU...) that can be read", file)
	}
	return key, nil
}

func explainDial(servers string, err error) error {
	for _, refusal := range []error{
		nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired,
		nats.ErrNkeysNotSupported,
	} {
		if errors.Is(err, refusal) {
			return usagef(err, "%s refuses the credentials (%s); check --creds or --nkey", servers, plain(refusal))
		}
	}
	var (
		unknown x509.UnknownAuthorityError
		wrong   *tls.CertificateVerificationError
		lookup  *net.DNSError
	)
	switch {
	case errors.As(err, &unknown):
		return usagef(err, "%s shows a certificate of an authority that is not trusted here; "+
			"name the authority's file with --ca", servers)
	case errors.As(err, &wrong):
		return usagef(err, "%s shows a certificate that is not valid for it: %v", servers, wrong.Err)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return usagef(err, "%s does not offer TLS, without which the network could read and change everything; "+
			"set up TLS there, or give --insecure-plaintext", servers)
	case errors.As(err, &lookup):
		return &Error{false, fmt.Sprintf("%s: the name has no address; check --server", servers), err}
	case errors.Is(err, nats.ErrNoServers):
		return &Error{false, fmt.Sprintf("no NATS server answers at %s; "+
			"start one there, or name another with --server", servers), err}
	}
	return &Error{false, fmt.Sprintf("connect to %s: %s", servers, plain(err)), err}
}

func plain(err error) string { return strings.TrimPrefix(err.Error(), "nats: ") }

func ready(ctx context.Context, conn *nats.Conn) (jetstream.JetStream, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	info, err := js.AccountInfo(ctx)
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return nil, &Error{false, fmt.Sprintf("the NATS server at %s has no JetStream for this user; "+
			"start it with -js, or turn JetStream on for the account", conn.ConnectedUrlRedacted()), err}
	case err != nil:
		return nil, explain(conn, err, "ask the NATS server for JetStream")
	case info.API.Level < 2:
		return nil, &Error{false, fmt.Sprintf("the NATS server at %s is too old (%s): a fleet needs 2.12 or newer",
			conn.ConnectedUrlRedacted(), conn.ConnectedServerVersion()), nil}
	}
	return js, nil
}

// explain adds the failed operation to an error. A server does not answer a request that lacks a permission,
// so err may be a timeout. In that case explain names the missing permission.
func explain(conn *nats.Conn, err error, doing string) error {
	last := conn.LastError()
	silent := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
	if errors.Is(last, nats.ErrPermissionViolation) && (silent || errors.Is(err, nats.ErrPermissionViolation)) {
		_, what, _ := strings.Cut(last.Error(), "Permissions Violation for ")
		return usagef(last, "%s: these credentials have no permission for it (%s)", doing, what)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
