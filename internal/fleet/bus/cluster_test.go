package bus_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"sitesync/internal/fleet/bus"
)

// cluster is what runs that runs with the files of deploy/nats.
type cluster struct {
	servers []string
	dir     string
	public  map[string]string // keys, by role
	tls     *tls.Config
}

// authority makes a certificate authority and a certificate of it for 127.0.0.1, as files.
func authority(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	issue := func(name string, ca bool, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		c := &x509.Certificate{
			SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, IsCA: ca, BasicConstraintsValid: true,
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		}
		if parent == nil {
			parent, signer = c, key
		}
		der, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), signer)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := x509.MarshalECPrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name+".pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
		write(t, filepath.Join(dir, name+".key"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}))
		c, err = x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return c, key
	}
	ca, key := issue("ca", true, nil, nil)
	issue("server", false, ca, key)
	pool := x509.NewCertPool()
	pool.AddCert(ca)
	return pool
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// deployed starts as many servers with the files of deploy/nats; alone, one needs no cluster.
func deployed(t *testing.T, nodes int) cluster {
	t.Helper()
	h := cluster{dir: t.TempDir(), public: map[string]string{}}
	h.tls = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: authority(t, h.dir)}
	for _, role := range []string{"operator", "worker"} {
		_, public := seed(t, h.dir, role)
		h.public[role] = public
		t.Setenv("NATS_"+strings.ToUpper(role), public)
	}
	t.Setenv("NATS_CA", filepath.Join(h.dir, "ca.pem"))
	t.Setenv("NATS_CERT", filepath.Join(h.dir, "server.pem"))
	t.Setenv("NATS_CERT_KEY", filepath.Join(h.dir, "server.key"))
	t.Setenv("NATS_ROUTES", "[nats-route://nats-1:6222, nats-route://nats-2:6222, nats-route://nats-3:6222]")
	routes, listeners := []*url.URL{}, []net.Listener{}
	for range nodes {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: l.Addr().String()})
		listeners = append(listeners, l)
	}
	var all []*server.Server
	for i := range nodes {
		t.Setenv("NATS_NODE", fmt.Sprint("nats-", i+1))
		t.Setenv("NATS_STORE", filepath.Join(h.dir, fmt.Sprint("store-", i+1)))
		o, err := server.ProcessConfigFile("../../../deploy/nats/nats.conf")
		if err != nil {
			t.Fatal(err)
		}
		o.Host, o.Port, o.HTTPPort, o.NoSigs, o.NoLog = "127.0.0.1", -1, 0, true, true
		if nodes == 1 {
			o.Cluster, o.Routes = server.ClusterOpts{}, nil
		} else {
			port, _ := strconv.Atoi(routes[i].Port())
			o.Cluster.Host, o.Cluster.Port, o.Routes = "127.0.0.1", port, routes
		}
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	for i, s := range all {
		_ = listeners[i].Close()
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	}
	for _, s := range all {
		if !s.ReadyForConnections(20 * time.Second) {
			t.Fatal("a server is not ready")
		}
		h.servers = append(h.servers, s.ClientURL())
	}
	return h
}

// dial connects as a role; a worker trusts the operator alone.
func (h cluster) dial(t *testing.T, role string) *nats.Conn {
	t.Helper()
	conn, err := bus.Dial(h.options(role))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func (h cluster) options(role string) bus.Options {
	o := bus.Options{Servers: h.servers, Nkey: filepath.Join(h.dir, role+".nk"), TLS: h.tls}
	if role == "worker" {
		o.Worker = "here"
	}
	return o
}

func (h cluster) open(t *testing.T, role string) *bus.Bus {
	t.Helper()
	b, err := bus.Open(t.Context(), h.dial(t, role))
	if err != nil {
		t.Fatal(err)
	}
	b.Seal, err = bus.NewSeal(h.options(role), []string{h.public["operator"]})
	if err != nil {
		t.Fatal(err)
	}
	return b
}
