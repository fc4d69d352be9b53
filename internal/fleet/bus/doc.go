// Package bus connects to NATS, and names the streams, buckets and subjects of a fleet. It guarantees that all
// of them exist when Open returns a Bus. Other packages fill them. A Bus is safe for concurrent use.
package bus
