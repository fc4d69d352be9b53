package push

import (
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestClassify(t *testing.T) {
	for _, test := range []struct {
		status  int
		body    string
		kind    Kind // empty: no failure
		message string
	}{
		{200, ``, "", ""},
		{200, `{}`, "", ""},
		{200, `[{"success":false}]`, "", ""},
		{200, `{"errors":false,"message":""}`, "", ""},
		{200, `{"success":true,"reason":"fine"}`, "", ""},
		{200, `{"errors":["x"]}`, KindFields, "errors: x"},
		{200, `{"failed":1}`, KindInvalid, `{"failed":1}`},
		{200, `{"reason":"no"}`, KindInvalid, "no"},
		{200, `{"status":"BadRequest","code":400,"messages":["no"]}`, KindInvalid, "no"},
		{200, `{"message":"The request could not be processed"}`, KindInvalid, "The request could not be processed"},
		{200, `[{"a":`, KindUnknown, `[{"a":`},
		{302, ``, KindRedirect, ""},
		{302, `{"message":"unauthorized"}`, KindUnauthorised, "unauthorized"},
		{400, ``, KindInvalid, "an answer without a body"},
		{400, `{"MESSAGE":" Unauthorized. "}`, KindUnauthorised, " Unauthorized. "},
		{400, `{"message":"unauthorized field Foo"}`, KindInvalid, "unauthorized field Foo"},
		{400, `{"Message":"Mismatch between site ID and customer ID"}`, KindMismatch, "Mismatch between site ID and customer ID"},
		{400, `{"message":"type mismatch of field Foo"}`, KindInvalid, "type mismatch of field Foo"},
		{400, `{"pages[0].page.url":["required"]}`, KindFields, "pages[0].page.url: required"},
		{403, `<html>`, KindUnauthorised, "<html>"},
		{404, `{"message":"nothing here"}`, KindUnknown, "nothing here"},
		{408, ``, KindNetwork, "an answer without a body"},
		{409, `{"message":"busy"}`, KindInvalid, "busy"},
		{409, ``, KindUnknown, "an answer without a body"},
		{414, ``, KindTooLarge, "an answer without a body"},
		{422, ``, KindInvalid, "an answer without a body"},
		{429, `{"message":"slow down"}`, KindRateLimited, "slow down"},
		{500, `{"message":"oops"}`, KindServer, "oops"},
		{500, `{"status":"InternalServerError","code":500,"messages":["Unexpected.","Reference ID: 8c1d-44f0-9a"]}`, KindServer, "Unexpected.; Reference ID: 8c1d-44f0-9a"},
	} {
		got := classify(newAnswer(test.status, []byte(test.body)), nil)
		if got == nil {
			got = &Error{}
		}
		if got.Kind != test.kind || test.kind != KindRedirect && got.Message != test.message {
			t.Errorf("%d %s: %s, %q", test.status, test.body, got.Kind, got.Message)
		}
	}
}

func TestErrorSaysWhatToDo(t *testing.T) {
	for kind, want := range map[Kind]string{
		KindUnauthorised: "push.api_key", KindMismatch: "push.crawler_id", KindInvalid: "has to change",
		KindTooLarge: "push.batch_bytes", KindRateLimited: "later", KindServer: "to the service's support",
		KindRedirect: "push.base_url", KindNetwork: "push.ca_file", KindUnknown: "push.base_url",
		KindFields: "correct", KindFailed: "delete it again", KindNotFound: "management console", KindNotOffered: "do without",
	} {
		err := &Error{Op: "put", URL: "https://service.example/x", Status: 400, Kind: kind, Message: "m"}
		if text := err.Error(); !strings.Contains(text, want) || !strings.HasPrefix(text, "put https://service.example/x: HTTP 400, "+string(kind)+": m; ") {
			t.Errorf("%s: %s", kind, text)
		}
	}
}

func TestCertificateIsNamedAndNotTriedAgain(t *testing.T) {
	s := httptest.NewUnstartedServer(nil)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	c, record := newClient(t, s.URL)
	err := c.CheckCredentials(t.Context())
	if err == nil || !strings.Contains(err.Error(), "certificate") || len(record.made) > 0 {
		t.Errorf("%v after %d waits", err, len(record.made))
	}
}
