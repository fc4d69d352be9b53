// Package wire holds the JSON shapes of the Site Search Service's interface
// (specification sections 2, 4 and 7), shared by the client in push and the
// local service in internal/service so that both speak the same bytes.
//
// It is a leaf and holds no behaviour beyond encoding and what an event must hold: names are encoded exactly
// as the specification writes them; decoding, as everywhere in encoding/json,
// takes any case.
package wire
