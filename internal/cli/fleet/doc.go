// Package fleet holds the commands of a fleet: sites that many workers run, by way of NATS
// JetStream. They guarantee that no line of NATS runs unless one of them is called. They leave
// what a site, a lease or a run is to internal/fleet. Nothing here is safe for concurrent use.
package fleet
