// Package wire holds the JSON shapes of the Site Search Service's API (specification sections 2, 4 and 7).
// The client in package push and the local service in internal/service share them. Keys are encoded exactly
// as the specification writes them. Decoding ignores the case of keys, as encoding/json does. The package
// also checks events. It imports no other package of sitesync.
package wire
