// Package openapi holds the OpenAPI 3.1 document of the Site Search Service. It describes every endpoint of
// the specification, with its section as x-section. Extensions of the specification are marked x-ours. The
// local service serves the document, and its conformance tests check every call against it.
package openapi
