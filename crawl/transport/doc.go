// Package transport makes the HTTP exchanges of a crawl. A Guard checks every connection. A Transport adds
// the configured credentials and cookies, uses the configured proxy, and bounds headers, bodies and times.
//
// The Guard checks the address that is dialled. Behind a proxy, only literal addresses can be checked. A
// credential or cookie is sent only to its own origin. A request that was written is never silently
// repeated. A body is read whole, or an error says why not. The caller is responsible for pace, retries and
// redirects.
//
// A Guard, a Transport, a Proxy and Cookies are safe for concurrent use.
package transport
