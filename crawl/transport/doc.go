// Package transport makes the HTTP exchanges of a crawl: on connections that a Guard
// allows, with the owner's credentials and cookies, through the owner's proxy, with
// bounded headers, bodies and times.
//
// It guarantees that every connection goes where the configuration allows, checked at
// the address dialled (behind a proxy: literal addresses alone), that a credential or
// cookie is sent to its own origin only, that a request which was written is never
// repeated unasked, and that a body is read whole or its error says why. Pace, retries and
// redirects are left to the caller.
//
// A Guard, a Transport, a Proxy and Cookies are safe for concurrent use.
package transport
