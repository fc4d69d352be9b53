package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
)

// The kinds of IDs that answers hold and later calls bring back.
const (
	IDQuery        = "query"
	IDConversation = "conversation"
	IDExchange     = "exchange" // its parent is a conversation
	IDSummary      = "summary"
)

// macBytes is how much of the signature an ID holds.
const macBytes = 16

// Signer is the secret that IDs are signed with.
type Signer []byte

// Issue returns a new ID of a kind for one engine of a customer. It is signed, so that
// it is known again without having been stored, after a restart too. parent is the
// ID that it belongs to, or empty.
func (s Signer) Issue(kind string, customer, engine int64, parent string) string {
	id := make([]byte, 24, 24+macBytes)
	binary.BigEndian.PutUint64(id, uint64(customer))
	binary.BigEndian.PutUint64(id[8:], uint64(engine))
	_, _ = rand.Read(id[16:]) // never errs
	return base64.RawURLEncoding.EncodeToString(s.sign(id, kind, parent))
}

// Issued returns whom an ID was issued for; false when it was not issued here, byte for
// byte, as one of this kind with this parent.
func (s Signer) Issued(id, kind, parent string) (customer, engine int64, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(id) // which skips line ends and bits that are left over
	if err != nil || len(raw) != 24+macBytes || base64.RawURLEncoding.EncodeToString(raw) != id || !hmac.Equal(raw, s.sign(slices.Clone(raw[:24]), kind, parent)) {
		return 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(raw)), int64(binary.BigEndian.Uint64(raw[8:])), true
}

// sign appends the signature to the plain part of an ID.
func (s Signer) sign(plain []byte, kind, parent string) []byte {
	mac := hmac.New(sha256.New, s)
	for _, part := range [][]byte{plain, []byte(kind + "/" + parent)} {
		_, _ = mac.Write(part) // never errs
	}
	return append(plain, mac.Sum(nil)[:macBytes]...)
}
