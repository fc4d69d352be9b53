// Package openapi holds the OpenAPI 3.1 document of the Site Search Service, which describes every endpoint.
// The key x-section is the section of the specification. The key x-ours marks what the specification does not
// say. The local service serves the document, and its conformance tests check each call against it.
package openapi
