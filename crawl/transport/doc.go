// Package transport makes the HTTP exchanges of a crawl. A Guard decides which addresses may be connected to.
// A Transport adds the configured credentials and cookies, and uses the configured proxy. It bounds headers,
// bodies and times.
//
// The Guard dials exactly the address that it checked. Behind a proxy, it can check only IP addresses in
// URLs. A credential is sent only to its own origin. A request that was written is never silently repeated. A
// body is read whole, or an error says why not. Callers see to pace, retries and redirects.
//
// A Guard, a Transport, a Proxy and Cookies are safe for concurrent use.
package transport
