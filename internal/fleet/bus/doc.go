// Package bus connects to NATS, and names the streams, buckets and subjects of a fleet: many sites that
// workers on several machines run. All of them exist when Open returns a Bus, which is safe for concurrent
// use.
package bus
