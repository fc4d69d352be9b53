// Package web is the HTTP layer of the local service: routing, authentication and the form of responses
// (specification sections 5, 7 and 9). A Server is safe for concurrent use.
//
// Handlers receive only calls with valid credentials for the customer and the engine (site search) of the
// path. The body of a call is JSON in UTF-8 within the size limit. The Host header must fit the address at
// which the request arrived. Web pages of other origins may call only endpoints that accept a SiteKey (an
// engine's public key). The API key is compared in constant time, and never logged or sent. A panic of a
// handler becomes the server error of section 7.
//
// Bounds limit all callers together: connections, concurrent searches, bytes of long responses, and the time
// to send a response. A caller who waits too long for a search or a long response gets 503 with Retry-After.
package web
