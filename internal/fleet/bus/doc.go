// Package bus connects to NATS. It names the streams, buckets (key-value stores) and subjects of a fleet:
// sites that workers on several machines crawl. The buckets and streams exist when Open returns a Bus. A Bus
// is safe for concurrent use.
package bus
