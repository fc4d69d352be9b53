package bus

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nkeys"
)

// Seal signs the entries of sites (their configurations) and checks the signatures. The zero Seal does
// neither. In a request to NATS, a user names the subject for the answer, and NATS does not check it. A
// malicious worker (a process that crawls sites) could thus replace the entry of a site. A worker that is
// started with --trust crawls only sites whose entry a trusted operator signed.
type Seal struct {
	key     nkeys.KeyPair // signs entries; nil: nothing is signed
	trusted []string      // public keys of operators; none: nothing is checked
}

// NewSeal returns the Seal of an operator or a worker. An operator's Seal signs with the seed (private key)
// that o names. A worker's Seal signs nothing. Both check signatures with the public keys in trusted, which
// begin with U. The errors are *Error.
func NewSeal(o Options, trusted []string) (s Seal, err error) {
	for _, key := range trusted {
		if !nkeys.IsValidPublicUserKey(key) {
			return s, usagef(nil, "--trust takes the public key of a user, which begins with U; "+
				"never give a seed, which begins with SU")
		}
	}
	s.trusted = trusted
	if o.Worker == "" {
		s.key, err = o.seed()
	}
	return s, err
}

const sealed = "sitesync site 1\n"

// Put returns the entry of a site: a line with the public key and the signature, then body. If s signs
// nothing, the entry is body alone.
func (s Seal) Put(site string, body []byte) ([]byte, error) {
	if s.key == nil {
		return body, nil
	}
	public, err := s.key.PublicKey()
	var signature []byte
	if err == nil {
		signature, err = s.key.Sign(slices.Concat([]byte(sealed+site+"\n"), body))
	}
	if err != nil {
		return nil, fmt.Errorf("sign the entry of %s: %w", site, err)
	}
	return fmt.Appendf(nil, "%s %s\n%s", public, base64.RawStdEncoding.EncodeToString(signature), body), nil
}

// Body returns the body of an entry. If s trusts keys, Body errs unless one of them signed the entry.
func (s Seal) Body(site string, entry []byte) ([]byte, error) {
	head, body, signed := bytes.Cut(entry, []byte("\n"))
	public, text, is := bytes.Cut(head, []byte(" "))
	signed = signed && is && len(public) > 0 && public[0] == 'U'
	switch {
	case !signed && len(s.trusted) == 0:
		return entry, nil
	case !signed:
		return nil, errors.New("no operator has signed it, and --trust asks for that")
	case len(s.trusted) == 0:
		return body, nil
	case !slices.Contains(s.trusted, string(public)):
		return nil, fmt.Errorf("%.60q has signed it, and --trust does not name that key", public)
	}
	key, err := nkeys.FromPublicKey(string(public))
	if err != nil {
		return nil, fmt.Errorf("read its signature: %w", err)
	}
	signature, err := base64.RawStdEncoding.DecodeString(string(text))
	if err != nil || key.Verify(slices.Concat([]byte(sealed+site+"\n"), body), signature) != nil {
		return nil, errors.New("its signature is wrong: somebody changed it")
	}
	return body, nil
}
