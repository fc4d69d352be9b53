package cli

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/testsite/strike"
	"sitesync/internal/wire"
	"sitesync/push"
)

// clients are all clients of one local service under switches.
type clients struct {
	*testing.T
	service *service.Service
	panel   *strike.Panel
	base    string
	docs    *push.Client
	tools   *push.Tools
	events  *push.Events
}

func newClients(t *testing.T, switches service.Switches) *clients {
	t.Helper()
	s, err := service.Open(service.Options{Path: filepath.Join(t.TempDir(), "service.db"), APIKey: "key", Extended: true, Switches: switches})
	if err != nil {
		t.Fatal(err)
	}
	panel := strike.New(s)
	panel.Extended = true
	server := httptest.NewServer(panel)
	t.Cleanup(func() { server.Close(); _ = s.Close() })
	o := push.Options{
		BaseURL: server.URL, Customer: 5, Engine: 7, Crawler: "c", Key: "key",
		Backoff: func() backoff.BackOff { return &backoff.ZeroBackOff{} },
	}
	c := &clients{T: t, service: s, panel: panel, base: server.URL}
	var errs [3]error
	c.docs, errs[0] = push.New(o)
	c.tools, errs[1] = push.NewTools(o)
	c.events, errs[2] = push.NewEvents(o, push.EventKeys{Device: "dt", Source: "ls", Rating: "rating"})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return c
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

// queryID asks for a search of an engine and returns the ID of its answer.
func (c *clients) queryID(engine int64) string {
	c.Helper()
	path := map[int64]string{7: "/api/v4/5/7/search", 8: "/api/v4/5/8/search"}[engine]
	req, err := http.NewRequestWithContext(c.Context(), http.MethodPost, c.base+path, strings.NewReader(`{"query":"*"}`))
	if err != nil {
		c.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", push.SiteKey(5, engine))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	var answer struct{ QueryID string }
	if err := json.Unmarshal(body, &answer); err != nil || answer.QueryID == "" {
		c.Fatalf("search: %s, %v", body, err)
	}
	return answer.QueryID
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

// otherReadings runs the client against the readings of the service that no script shows.
func otherReadings() map[string]struct {
	set   service.Switches
	check func(*clients)
} {
	return map[string]struct {
		set   service.Switches
		check func(*clients)
	}{
		"duplicates_fail": {service.Switches{DuplicatesFail: true}, func(c *clients) {
			change := document.Change{Op: document.Put, ID: whole().ID, Doc: whole().Wire()}
			var stop *push.StopError
			err := c.docs.Apply(c.Context(), document.Put, []document.Change{change, change}, nil)
			if !errors.As(err, &stop) || c.panel.Calls()["put"] > 0 {
				c.Errorf("one ID twice in a call: %v, %v", err, c.panel.Calls())
			}
		}},
		"max_bytes": {service.Switches{MaxBytes: 700}, func(c *clients) {
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
			if err != nil || refused > 0 || len(c.stored()) != 3 {
				c.Errorf("a batch that is too large: %d refused, %d stored, %v", refused, len(c.stored()), err)
			}
		}},
		"accept_arrays": {service.Switches{AcceptArrays: true}, func(c *clients) {
			if _, err := push.ParseChange(document.Put, []byte(`{"id":"a","fields":{"Title":["x"]}}`)); err == nil {
				c.Error("an array passes for a value")
			}
		}},
		"require_fields": {service.Switches{RequireFields: true}, func(c *clients) {
			d := whole()
			delete(d.Fields, "Description")
			if got := c.apply(document.Put, d); got.State != document.Refused || !strings.Contains(got.Reason, "Description") {
				c.Errorf("without Description: %+v", got)
			}
			if got := c.apply(document.Put, whole()); got.State != document.Acknowledged {
				c.Errorf("with all fields: %+v", got)
			}
		}},
		"patch_resets_type": {service.Switches{PatchResetsType: true}, func(c *clients) {
			c.apply(document.Put, whole())
			answers, err := c.docs.Ask(c.Context(), []document.Question{{ID: whole().ID, Type: whole().Type, URL: whole().ID}})
			c.apply(document.Patch, document.Document{ID: whole().ID, Type: whole().Type, Fields: map[string]string{"Title": "new"}})
			if got := c.stored(); err != nil || len(answers) != 1 || len(got) != 1 || !strings.Contains(got[0], "FileContent") || !strings.Contains(got[0], `"new"`) {
				c.Errorf("the type is lost: %s, %v", got, err)
			}
		}},
		"allow_exists": {service.Switches{AllowExists: true}, func(c *clients) {
			c.apply(document.Put, whole())
			for _, filter := range []string{`{"Title":{"operator":"Exists"}}`, `{"Title":{"operator":"Exists","values":[""]}}`, `{"Title":{"operator":"Eq"}}`, `{}`} {
				if _, _, err := c.docs.ApplyBulk(c.Context(), []byte(filter)); err == nil {
					c.Errorf("%s is sent", filter)
				}
			}
			if len(c.stored()) != 1 {
				c.Error("the index was emptied")
			}
		}},
		"mismatch_status": {service.Switches{MismatchStatus: http.StatusInternalServerError}, func(c *clients) {
			_, err := c.events.Send(c.Context(), wire.EventQuery, push.Event{"sw": "x", "qid": c.queryID(8)})
			if kindOf(err) != push.KindMismatch || c.panel.Calls()["querylog"] != 1 {
				c.Errorf("another engine's qid: %v", err)
			}
		}},
		"check_query_ids": {service.Switches{CheckQueryIDs: true}, func(c *clients) {
			_, own := c.events.Send(c.Context(), wire.EventQuery, push.Event{"sw": "x", "qid": c.queryID(7)})
			_, foreign := c.events.Send(c.Context(), wire.EventQuery, push.Event{"sw": "x", "qid": "made-up"})
			if own != nil || kindOf(foreign) != push.KindInvalid {
				c.Errorf("own qid: %v; made up: %v", own, foreign)
			}
		}},
		"field_error_status": {service.Switches{FieldErrorStatus: http.StatusInternalServerError}, func(c *clients) {
			_, err := c.tools.Create(c.Context(), wire.KindBanner, []byte(`{}`))
			if kindOf(err) != push.KindFields || c.panel.Calls()["banners"] != 1 {
				c.Errorf("field errors: %v", err)
			}
		}},
		"not_found_status": {service.Switches{NotFoundStatus: http.StatusBadRequest}, func(c *clients) {
			_, err := c.tools.Get(c.Context(), wire.KindBanner, 9)
			if kindOf(err) != push.KindNotFound {
				c.Errorf("an unknown ID: %v", err)
			}
		}},
		"synonym_arrays": {service.Switches{SynonymArrays: true}, func(c *clients) {
			_, err := c.tools.Create(c.Context(), wire.KindSynonyms, []byte(`{"words":["a","b"],"language":"en"}`))
			got, getErr := c.tools.Get(c.Context(), wire.KindSynonyms, 1)
			if err = errors.Join(err, getErr); err != nil || !strings.HasPrefix(string(got), "{") {
				c.Errorf("got %s, %v", got, err)
			}
		}},
	}
}

// TestEverySwitch: there is no reading of the service that the client was not run against,
// here or in a script.
func TestEverySwitch(t *testing.T) {
	var scripts strings.Builder
	files, err := filepath.Glob("testdata/script/*.txtar")
	for _, file := range files {
		raw, readErr := os.ReadFile(file)
		err = errors.Join(err, readErr)
		scripts.Write(raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	here := otherReadings()
	fields := reflect.TypeFor[service.Switches]()
	var names []string
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
		if _, ok := here[name]; !ok && !strings.Contains(scripts.String(), `"`+name+`"`) {
			t.Errorf("no client is run against %s", name)
		}
	}
	for name, reading := range here {
		if !slices.Contains(names, name) {
			t.Errorf("there is no switch %s", name)
		}
		t.Run(name, func(t *testing.T) { reading.check(newClients(t, reading.set)) })
	}
}
