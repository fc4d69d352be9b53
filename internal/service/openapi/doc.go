// Package openapi holds the OpenAPI 3.1 document of the Site Search Service: every
// endpoint of the specification, with its section as x-section, and what is ours
// alone marked x-ours. The local service serves it, and its conformance suite holds
// every call against it.
package openapi
