// Package fleet holds the commands of a fleet: sites that many workers run, over NATS JetStream. No code of NATS
// runs unless one of these commands is called. Sites, leases and runs are left to internal/fleet. Nothing here is
// safe for concurrent use.
package fleet
