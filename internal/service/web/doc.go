// Package web is the local service as HTTP: which operation a request means, who is let
// in, and how answers look (specification sections 5, 7 and 9).
//
// It guarantees: a handler sees only calls with the right credentials, for its own
// customer and engine, whose body is JSON in UTF-8 within the limits; a request is served
// only under a name of the address that it came to; other origins may call only what
// takes a SiteKey; the API key is compared in constant time and never logged or
// answered; a panic of a handler is the server error of section 7.
//
// Callers are bounded together (Bounds): connections, searches at once, the bytes of long
// answers, and the time that an answer takes to send. Beyond a bound they wait
// for a while, and then are answered 503 with Retry-After.
//
// It leaves to others: what an operation does, and TLS.
//
// A Server is safe for concurrent use.
package web
