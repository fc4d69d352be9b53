package service

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// answers reports whether the fault takes the place of the answer.
func (f Fault) answers() bool { return f.Drop || f.Status != 0 || f.Body != nil }

// reply returns the answer that the fault gives.
func (f Fault) reply() reply {
	answer := errorReply(f.Status)
	if f.Body != nil {
		answer = reply{status: f.Status, body: []byte(*f.Body)}
	}
	if answer.status == 0 {
		answer.status = http.StatusOK
	}
	answer.retryAfter = f.RetryAfter
	answer.drop = f.Drop
	return f.cut(answer)
}

// cut takes the second half of the answer's body away.
func (f Fault) cut(answer reply) reply {
	if f.Cut {
		answer.body = answer.body[:len(answer.body)/2]
	}
	return answer
}

// strike waits as long as the fault says, and returns the answer that takes the
// place of the call's own, if one does. A client that leaves meanwhile ends the
// call.
func (f Fault) strike(ctx context.Context) (reply, bool) {
	if f.DelayMS > 0 {
		timer := time.NewTimer(time.Duration(f.DelayMS) * time.Millisecond)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return reply{drop: true}, true
		}
	}
	if !f.answers() {
		return reply{}, false
	}
	return f.reply(), true
}

// endpoints that a Fault may name.
func faultEndpoints() []Endpoint {
	return []Endpoint{EndpointPut, EndpointPatch, EndpointDelete, EndpointBulkDelete, EndpointPaths, EndpointOther, EndpointAny}
}

func (f Fault) check() error {
	switch {
	case !slices.Contains(faultEndpoints(), f.Endpoint):
		return fmt.Errorf("endpoint %q is none of %q", f.Endpoint, faultEndpoints())
	case !slices.Contains([]Point{"", Before, Between, After}, f.At):
		return fmt.Errorf("at %q is none of before, between, after", f.At)
	case f.At == Between && (f.Endpoint != EndpointPut || !f.answers()):
		return fmt.Errorf("at between needs the endpoint put, and drop, status or body")
	case f.Skip < 0 || f.Times < 0 || f.DelayMS < 0:
		return fmt.Errorf("skip, times and delay_ms can't be below 0")
	default:
		return checkStatus("status", f.Status)
	}
}

// checkStatus errs for a status that is no final one; 0 means the default.
func checkStatus(name string, status int) error {
	if status != 0 && (status < 200 || status > 599) {
		return fmt.Errorf("%s %d is no final HTTP status (200 to 599)", name, status)
	}
	return nil
}
