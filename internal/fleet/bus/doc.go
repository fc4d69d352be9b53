// Package bus connects to NATS, and names the streams, buckets and subjects of a fleet. It guarantees that all
// of them exist, and have this version, when Open returns a Bus. Their contents are left to other packages. A
// Bus is safe for concurrent use.
package bus
