package conformance

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"sitesync/internal/service/openapi"
)

// contract is an http.RoundTripper that errs if a call does not fit the OpenAPI document. It checks every
// response. It checks a request if its response is 2xx, unless the request is marked as wrong on purpose.
type contract struct {
	mux        *http.ServeMux // finds the operation of a request by its pattern
	operations map[string]*routers.Route
}

// wrongOnPurpose is a context key. A request with this key breaks the specification on purpose.
type wrongOnPurpose struct{}

// NewContract returns an HTTP transport that errs for each call that does not fit the OpenAPI document.
func NewContract(t *testing.T) http.RoundTripper {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	if err != nil {
		t.Fatalf("read the OpenAPI document: %v", err)
	}
	c := &contract{http.NewServeMux(), map[string]*routers.Route{}}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			pattern := method + " " + path
			c.mux.Handle(pattern, http.NotFoundHandler())
			c.operations[pattern] = &routers.Route{Spec: doc, Path: path, PathItem: item, Method: method, Operation: operation}
		}
	}
	return c
}

func (c *contract) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	_, pattern := c.mux.Handler(req)
	route, known := c.operations[pattern]
	if !known {
		return resp, nil
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err == nil {
		err = check(req, route, resp, body)
	}
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

func check(req *http.Request, route *routers.Route, resp *http.Response, body []byte) error {
	input := &openapi3filter.RequestValidationInput{
		Request: req.Clone(req.Context()), Route: route, PathParams: pathValues(route.Path, req.URL.EscapedPath()),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, SkipSettingDefaults: true, AuthenticationFunc: checkScheme},
	}
	if req.GetBody != nil {
		input.Request.Body, _ = req.GetBody() // never errs, because the body is a string
	}
	if resp.StatusCode/100 == 2 && req.Context().Value(wrongOnPurpose{}) == nil {
		if err := openapi3filter.ValidateRequest(req.Context(), input); err != nil {
			return fmt.Errorf("the request was accepted and is not as the OpenAPI document says: %w", err)
		}
	}
	if declared := route.Operation.Responses.Status(resp.StatusCode); declared != nil && len(declared.Value.Content) == 0 && len(body) > 0 {
		return fmt.Errorf("the OpenAPI document shows no body for status %d, got %q", resp.StatusCode, body)
	}
	answer := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: resp.StatusCode, Header: resp.Header, Options: input.Options}
	if err := openapi3filter.ValidateResponse(req.Context(), answer.SetBodyBytes(body)); err != nil {
		return fmt.Errorf("the answer %d %.300s is not as the OpenAPI document says: %w", resp.StatusCode, body, err)
	}
	return nil
}

// checkScheme errs if the credentials have another scheme than the document names. It ignores their values.
func checkScheme(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	if scheme, _, _ := strings.Cut(in.RequestValidationInput.Request.Header.Get("Authorization"), " "); scheme != in.SecuritySchemeName {
		return in.NewError(fmt.Errorf("the credentials are %q", scheme))
	}
	return nil
}

// pathValues returns the unescaped parts of a path, by their names in a template such as /api/{id}.
func pathValues(template, escaped string) map[string]string {
	values := map[string]string{}
	parts := strings.Split(escaped, "/")
	for i, name := range strings.Split(template, "/") {
		if strings.HasPrefix(name, "{") && i < len(parts) {
			values[strings.Trim(name, "{}")], _ = url.PathUnescape(parts[i])
		}
	}
	return values
}
