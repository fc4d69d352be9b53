package transport

import (
	"crypto/x509"
	"fmt"
	"os"
)

// ReadAuthorities returns the machine's certificate authorities and those of a
// PEM file; nil, which stands for the machine's alone, when path is "". Its errors
// name the configuration key.
func ReadAuthorities(key, path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; name a PEM file that can be read", key, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a machine without any
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s: %s holds no certificate in PEM form (-----BEGIN CERTIFICATE-----); convert it, or name another file", key, path)
	}
	return pool, nil
}
