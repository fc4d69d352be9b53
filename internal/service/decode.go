package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"
)

// drainBytes is how much of a body beyond the limit is still read, so that a
// client that only reads the answer after sending gets to read it.
const drainBytes = 64 << 20

// readJSON returns the body of a request, which must say that it is JSON and be
// valid UTF-8 within the limit.
func readJSON(c *call) ([]byte, error) {
	if err := checkMedia(c.r.Header); err != nil {
		return nil, err
	}
	limit := c.rules.maxBytes()
	body, err := io.ReadAll(io.LimitReader(c.r.Body, limit+1))
	if err != nil {
		return nil, badRequest("the body ended early")
	}
	if int64(len(body)) > limit {
		_, _ = io.CopyN(io.Discard, c.r.Body, drainBytes)
		return nil, tooLarge("the body is larger than %d bytes", limit)
	}
	if !utf8.Valid(body) {
		return nil, badRequest("the body is not valid UTF-8")
	}
	return body, nil
}

func checkMedia(header http.Header) error {
	media, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return problem{http.StatusUnsupportedMediaType, "the Content-Type must be application/json"}
	}
	if charset, given := parameters["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return problem{http.StatusUnsupportedMediaType, "JSON is sent as UTF-8"}
	}
	if header.Get("Content-Encoding") != "" {
		return problem{http.StatusUnsupportedMediaType, "encoded bodies are not taken"}
	}
	return nil
}

func tooLarge(format string, args ...any) problem {
	return problem{http.StatusRequestEntityTooLarge, fmt.Sprintf(format, args...)}
}

// decodeArray returns the elements of a request's JSON array, as many as the
// limit allows; what names the array in errors.
func decodeArray[T any](c *call, what string) ([]T, error) {
	body, err := readJSON(c)
	if err != nil {
		return nil, err
	}
	return parseArray[T](body, c.rules.maxDocuments(), what)
}

// parseArray reads element by element, so that the limit bounds memory. Null is
// no element.
func parseArray[T any](body []byte, limit int, what string) ([]T, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	if token, err := dec.Token(); err != nil || token != json.Delim('[') {
		return nil, badRequest("the body must be %s", what)
	}
	elements := []T{}
	for dec.More() {
		if len(elements) == limit {
			return nil, tooLarge("the array holds more than %d elements", limit)
		}
		var element *T
		if err := dec.Decode(&element); err != nil || element == nil {
			return nil, badRequest("element %d: the body must be %s", len(elements)+1, what)
		}
		elements = append(elements, *element)
	}
	return elements, endOf(dec, json.Delim(']'))
}

// endOf checks that a value closes, and that nothing follows it.
func endOf(dec *json.Decoder, closing json.Delim) error {
	if token, err := dec.Token(); err != nil || token != closing {
		return badRequest("the body is malformed JSON")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return badRequest("the body goes on after its JSON value")
	}
	return nil
}
