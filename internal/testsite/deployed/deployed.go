// Package deployed runs NATS servers with the very file of deploy/nats, for tests: with keys
// and certificates of its own, on loopback. What it starts ends with Close.
package deployed

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// Cluster is what runs. Its folder holds ca.pem, server.pem and server.key, and the seeds of the
// roles in operator.nk, worker.nk and backup.nk.
type Cluster struct {
	Dir     string
	Servers []string          // addresses
	Public  map[string]string // keys, by role
	Roots   *x509.CertPool    // that trusts the servers

	servers []*server.Server
}

// environment is what the servers' file is read with: one at a time.
var environment sync.Mutex

// Start starts one server, or a cluster of three, with the file named config.
func Start(config, dir string, nodes int) (*Cluster, error) {
	c := &Cluster{Dir: dir, Public: map[string]string{}}
	var err error
	c.Roots, err = authority(dir)
	if err != nil {
		return nil, err
	}
	vars := map[string]string{
		"NATS_CA": filepath.Join(dir, "ca.pem"), "NATS_CERT": filepath.Join(dir, "server.pem"), "NATS_CERT_KEY": filepath.Join(dir, "server.key"),
		"NATS_ROUTES": "[nats-route://nats-1:6222, nats-route://nats-2:6222, nats-route://nats-3:6222]",
	}
	for _, role := range []string{"operator", "worker", "backup"} {
		c.Public[role], err = Seed(filepath.Join(dir, role+".nk"))
		if err != nil {
			return nil, err
		}
		vars["NATS_"+strings.ToUpper(role)] = c.Public[role]
	}
	ports := make([]*net.TCPListener, nodes) // kept until the servers listen there
	routes := make([]*url.URL, nodes)
	for i := range nodes {
		ports[i], err = Listen()
		if err != nil {
			return nil, err
		}
		routes[i] = &url.URL{Scheme: "nats-route", Host: ports[i].Addr().String()}
	}
	for i := range nodes {
		vars["NATS_NODE"], vars["NATS_STORE"] = fmt.Sprint("nats-", i+1), filepath.Join(dir, fmt.Sprint("store-", i+1))
		o, err := read(config, vars)
		if err != nil {
			return nil, err
		}
		o.Host, o.Port, o.HTTPPort, o.NoSigs, o.NoLog = "127.0.0.1", -1, 0, true, true
		if nodes == 1 {
			o.Cluster, o.Routes = server.ClusterOpts{}, nil
		} else {
			o.Cluster.Host, o.Cluster.Port, o.Routes = "127.0.0.1", ports[i].Addr().(*net.TCPAddr).Port, routes
		}
		s, err := server.NewServer(o)
		if err != nil {
			return nil, err
		}
		c.servers = append(c.servers, s)
	}
	for i, s := range c.servers {
		_ = ports[i].Close()
		s.Start()
	}
	for _, s := range c.servers {
		if !s.ReadyForConnections(20 * time.Second) {
			c.Close()
			return nil, errors.New("a NATS server is not ready")
		}
		c.Servers = append(c.Servers, s.ClientURL())
	}
	return c, nil
}

// Listen listens on a loopback port below those that the system hands out. No other connection
// can take such a port between the end of this listener and the start of a server there.
func Listen() (l *net.TCPListener, err error) {
	for range 100 {
		l, err = net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 20000 + rand.N(12000)})
		if err == nil {
			return l, nil
		}
	}
	return nil, err
}

// Close ends the servers.
func (c *Cluster) Close() {
	for _, s := range c.servers {
		s.Shutdown()
		s.WaitForShutdown()
	}
}

func read(config string, vars map[string]string) (*server.Options, error) {
	environment.Lock()
	defer environment.Unlock()
	for name, value := range vars {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
		defer func() { _ = os.Unsetenv(name) }()
	}
	return server.ProcessConfigFile(config)
}

// Seed writes the seed of a new user to a file, and returns the public key.
func Seed(file string) (public string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", err
	}
	secret, err := pair.Seed()
	if err != nil {
		return "", err
	}
	public, err = pair.PublicKey()
	return public, errors.Join(err, os.WriteFile(file, secret, 0o600))
}

// authority makes a certificate authority, and a certificate of it for 127.0.0.1: ca.pem, server.pem
// and server.key.
func authority(dir string) (*x509.CertPool, error) {
	caKey, caErr := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
	key, err := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
	if err := errors.Join(caErr, err); err != nil {
		return nil, err
	}
	template := func(name string, ca bool) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, IsCA: ca, BasicConstraintsValid: true,
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		}
	}
	ca := template("ca", true)
	root, caErr := x509.CreateCertificate(cryptorand.Reader, ca, ca, caKey.Public(), caKey)
	mine, err := x509.CreateCertificate(cryptorand.Reader, template("server", false), ca, key.Public(), caKey)
	secret, keyErr := x509.MarshalECPrivateKey(key)
	if err := errors.Join(caErr, err, keyErr); err != nil {
		return nil, err
	}
	for name, block := range map[string]*pem.Block{
		"ca.pem": {Type: "CERTIFICATE", Bytes: root}, "server.pem": {Type: "CERTIFICATE", Bytes: mine}, "server.key": {Type: "EC PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			return nil, err
		}
	}
	pool := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(root)
	if err == nil {
		pool.AddCert(parsed)
	}
	return pool, err
}
