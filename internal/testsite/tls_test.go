package testsite

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestCertificates(t *testing.T) {
	for _, test := range []struct {
		name    string
		until   time.Time
		trusted bool
		check   func(error) bool
	}{
		{"good", time.Now().Add(time.Hour), true, func(err error) bool { return err == nil }},
		{"unknown", time.Now().Add(time.Hour), false, func(err error) bool {
			return errors.As(err, new(x509.UnknownAuthorityError))
		}},
		{"expired", time.Date(2021, 3, 4, 0, 0, 0, 0, time.UTC), true, func(err error) bool {
			var invalid x509.CertificateInvalidError
			return errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert.Subject.CommonName == "testsite.invalid"
		}},
	} {
		s := NewTLS(test.until)
		roots := x509.NewCertPool()
		if test.trusted && !roots.AppendCertsFromPEM(s.Authority()) {
			t.Fatal("the certificate is no PEM")
		}
		client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableKeepAlives: true}}
		answer, err := client.Get(s.URL() + "/")
		if !test.check(err) || !strings.HasPrefix(s.URL(), "https://127.0.0.1:") {
			t.Errorf("%s: %s gave %v, %v", test.name, s.URL(), answer, err)
		}
		if err == nil {
			_ = answer.Body.Close()
			s.Fault("*", Reset(-1))
			if _, err := client.Get(s.URL() + "/"); err == nil {
				t.Errorf("%s: no reset", test.name)
			}
		}
		s.Close()
	}
}
