// Package wire holds the JSON shapes of the Site Search Service's API (specification sections 2, 4 and 7).
// The client in push and the local service in internal/service share them, so both use the same JSON. The
// package encodes and decodes JSON, and checks events. It imports no other package of sitesync. Keys are
// encoded exactly as the specification writes them. Decoding ignores the case of keys, as encoding/json does.
package wire
