// Package openapi holds the OpenAPI 3.1 document of the Site Search Service. The document describes every
// endpoint of the specification, with the section's number in the key x-section. Extensions have the key
// x-ours. The local service serves the document. The service's conformance tests check each call against it.
package openapi
