package spool

import (
	"math"

	"github.com/fxamacker/cbor/v2"
)

// decoder reads what Encode wrote, whatever it is: its size is bounded by who keeps the
// bytes, and text is whatever a page made of it. A count in the bytes is believed only as
// far as there are bytes for it.
var decoder, _ = cbor.DecOptions{MaxArrayElements: math.MaxInt32, MaxMapPairs: math.MaxInt32, UTF8: cbor.UTF8DecodeInvalid}.DecMode()

// Encode returns the CBOR form of a value of ours (RFC 8949), of which every kind has one.
func Encode(v any) []byte {
	raw, err := cbor.Marshal(v)
	if err != nil {
		panic(err) // a channel or a function in it: a mistake of ours
	}
	return raw
}

// Decode reads what Encode wrote into v. It errs where raw is not one whole value of that
// kind.
func Decode(raw []byte, v any) error { return decoder.Unmarshal(raw, v) }

// DecodeFirst is Decode of the value that raw begins with; it returns what stands behind.
func DecodeFirst(raw []byte, v any) (rest []byte, err error) { return decoder.UnmarshalFirst(raw, v) }
