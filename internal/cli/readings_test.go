package cli

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/testsite/strike"
	"sitesync/internal/wire"
	"sitesync/push"
)

// clients are all clients of one local service under readings.
type clients struct {
	*testing.T
	service *service.Service
	panel   *strike.Panel
	docs    *push.Client
	tools   *push.Tools
	events  *push.Events
}

func newClients(t *testing.T, readings strike.Readings) *clients {
	t.Helper()
	s, err := service.Open(service.Options{Path: filepath.Join(t.TempDir(), "service.db"), APIKey: "key", Extended: true})
	if err != nil {
		t.Fatal(err)
	}
	panel := strike.New(s)
	panel.Extended = true
	panel.Read(readings)
	server := httptest.NewServer(panel)
	t.Cleanup(func() { server.Close(); _ = s.Close() })
	o := push.Options{
		BaseURL: server.URL, Customer: 5, Engine: 7, Crawler: "c", Key: "key",
		Backoff: func() backoff.BackOff { return &backoff.ZeroBackOff{} },
	}
	return &clients{T: t, service: s, panel: panel, docs: push.New(o), tools: push.NewTools(o), events: push.NewEvents(o)}
}

// apply sends one document and returns how it ended.
func (c *clients) apply(op document.Op, d document.Document) document.Outcome {
	c.Helper()
	var all []document.Outcome
	err := c.docs.Apply(c.Context(), op, []document.Change{{Op: op, ID: d.ID, Type: d.Type, Doc: d.Wire()}}, func(o []document.Outcome) error {
		all = append(all, o...)
		return nil
	})
	if err != nil || len(all) != 1 {
		c.Fatalf("%s: %v, %v", op, all, err)
	}
	return all[0]
}

func (c *clients) stored() (all []string) {
	docs, err := c.service.Documents(5, "c")
	if err != nil {
		c.Fatal(err)
	}
	for _, doc := range docs {
		raw, _ := json.Marshal(doc)
		all = append(all, string(raw))
	}
	return all
}

func kindOf(err error) push.Kind {
	var failure *push.Error
	if errors.As(err, &failure) {
		return failure.Kind
	}
	return ""
}

func whole() document.Document {
	return document.Document{ID: "https://a.example/", Type: document.FileContent, Fields: map[string]string{"Title": "t", "Description": "d", "Url": "https://a.example/"}}
}

// TestOtherReadings runs the client against the readings of the service that no script shows.
func TestOtherReadings(t *testing.T) {
	for name, reading := range map[string]struct {
		readings strike.Readings
		check    func(*clients)
	}{
		"one ID twice": {strike.Readings{}, func(c *clients) {
			change := document.Change{Op: document.Put, ID: whole().ID, Doc: whole().Wire()}
			var stop *push.StopError
			err := c.docs.Apply(c.Context(), document.Put, []document.Change{change, change}, nil)
			if !errors.As(err, &stop) || c.panel.Calls()["put"] > 0 {
				c.Errorf("one ID twice in a call: %v, %v", err, c.panel.Calls())
			}
		}},
		"a batch that is too large": {strike.Readings{MaxBytes: 700}, func(c *clients) {
			var changes []document.Change
			for _, id := range []string{"a", "b", "c"} {
				d := document.Document{ID: id, Fields: map[string]string{"Title": strings.Repeat(id, 300)}}
				changes = append(changes, document.Change{Op: document.Put, ID: id, Doc: d.Wire()})
			}
			refused := 0
			err := c.docs.Apply(c.Context(), document.Put, changes, func(all []document.Outcome) error {
				for _, o := range all {
					if o.State != document.Acknowledged {
						refused++
					}
				}
				return nil
			})
			if err != nil || refused > 0 || len(c.stored()) != 3 || c.panel.Calls()["put"] < 3 {
				c.Errorf("%d refused, %d stored, %v", refused, len(c.stored()), err)
			}
		}},
		"arrays are values": {strike.Readings{}, func(c *clients) {
			if _, err := push.ParseChange(document.Put, []byte(`{"id":"a","fields":{"Title":["x"]}}`)); err == nil {
				c.Error("an array passes for a value")
			}
		}},
		"a patch resets the type": {strike.Readings{PatchResetsType: true}, func(c *clients) {
			c.apply(document.Put, whole())
			answers, err := c.docs.Ask(c.Context(), []document.Question{{ID: whole().ID, Type: whole().Type, URL: whole().ID}})
			c.apply(document.Patch, document.Document{ID: whole().ID, Type: whole().Type, Fields: map[string]string{"Title": "new"}})
			if got := c.stored(); err != nil || len(answers) != 1 || len(got) != 1 || !strings.Contains(got[0], "FileContent") || !strings.Contains(got[0], `"new"`) {
				c.Errorf("the type is lost: %s, %v", got, err)
			}
		}},
		"a filter may match everything": {strike.Readings{}, func(c *clients) {
			for _, filter := range []string{`{"Title":{"operator":"Exists"}}`, `{"Title":{"operator":"Exists","values":[""]}}`, `{"Title":{"operator":"Eq"}}`, `{}`} {
				if _, _, err := c.docs.ApplyBulk(c.Context(), []byte(filter)); err == nil || c.panel.Calls()["bulk-delete"] > 0 {
					c.Errorf("%s is sent: %v", filter, err)
				}
			}
		}},
		"a mismatch at another status": {strike.Readings{}, func(c *clients) {
			c.panel.Set(strike.Fault{Status: 500, Body: new(`{"Message":"mismatch between site ID and customer ID"}`)})
			_, err := c.events.Send(c.Context(), wire.EventQuery, push.Event{"sw": "x", "qid": "q"})
			if kindOf(err) != push.KindMismatch || c.panel.Calls()["querylog"] != 1 {
				c.Errorf("another engine's qid: %v", err)
			}
		}},
		"field errors at another status": {strike.Readings{}, func(c *clients) {
			c.panel.Set(strike.Fault{Status: 500, Body: new(`{"name":["this field is required"]}`)})
			_, err := c.tools.Create(c.Context(), wire.KindBanner, []byte(`{}`))
			if kindOf(err) != push.KindFields || c.panel.Calls()["banners"] != 1 {
				c.Errorf("field errors: %v", err)
			}
		}},
		"not found at another status": {strike.Readings{}, func(c *clients) {
			c.panel.Set(strike.Fault{Status: 400, Body: new(`{"message":"the banner with the ID 9 was not found"}`)})
			_, err := c.tools.Get(c.Context(), wire.KindBanner, 9)
			if kindOf(err) != push.KindNotFound {
				c.Errorf("an unknown ID: %v", err)
			}
		}},
		"a synonym group in an array": {strike.Readings{}, func(c *clients) {
			c.panel.Set(strike.Fault{Body: new(`[{"groupId":1,"words":["a","b"],"language":"en"}]`)})
			got, err := c.tools.Get(c.Context(), wire.KindSynonyms, 1)
			if err != nil || !strings.HasPrefix(string(got), "{") {
				c.Errorf("got %s, %v", got, err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) { reading.check(newClients(t, reading.readings)) })
	}
}
