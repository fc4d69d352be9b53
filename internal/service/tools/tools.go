package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Tools manages the search tools of all customers in a store.
type Tools struct{ Store *store.Store }

// Routes returns the operations of specification section 4.2, and (marked Extra) those that 4.2 leaves out.
func (t *Tools) Routes() (routes []web.Route) {
	const rankings, quicklinks = wire.KindRanking, wire.KindQuicklink
	const banners, synonyms = wire.KindBanner, wire.KindSynonyms
	extra := false
	add := func(pattern string, kind wire.Kind, do func(*web.Call, wire.Kind) ([]byte, error)) {
		handle := func(c *web.Call) (web.Reply, error) {
			body, err := do(c, kind)
			return web.Reply{Status: http.StatusOK, Body: body}, err
		}
		routes = append(routes, web.Route{Pattern: pattern, Handle: handle, Extra: extra})
	}
	add("POST /api/rankings", rankings, t.create)
	add("GET /api/rankings/{id}", rankings, t.get)
	add("PUT /api/rankings/{id}", rankings, t.replace)
	add("GET /api/quicklinks/{id}", quicklinks, t.get)
	add("PUT /api/quicklinks/{id}", quicklinks, t.replace)
	add("DELETE /api/quicklinks/{id}", quicklinks, t.remove)
	add("POST /api/banners", banners, t.create)
	add("GET /api/banners/{id}", banners, t.get)
	add("DELETE /api/banners/{id}", banners, t.remove)
	add("POST /api/synonymsgroup", synonyms, t.create)
	add("DELETE /api/synonymsgroup", synonyms, t.remove)
	extra = true
	add("GET /api/rankings", rankings, t.list)
	add("GET /api/rankings/site/{site}", rankings, t.list)
	add("DELETE /api/rankings/{id}", rankings, t.remove)
	add("POST /api/quicklinks", quicklinks, t.create)
	add("GET /api/engine/{site}/quicklinks", quicklinks, t.list)
	add("GET /api/banners/site/{site}", banners, t.list)
	add("PUT /api/banners/{id}", banners, t.replace)
	add("PUT /api/synonymsgroup", synonyms, t.replace)
	add("GET /api/synonymsgroup/{id}", synonyms, t.getSynonyms)
	const settings = "GET /api/v3/{customer}/{engine}/websites/publicsettings"
	const all = web.SiteKey | web.Basic | web.None
	return append(routes, web.Route{Pattern: settings, Takes: all, Handle: t.publicSettings})
}

// publicSettings returns the quicklinks of an engine (site search) in the format of clients from before v4.
func (t *Tools) publicSettings(c *web.Call) (web.Reply, error) {
	links, err := All[wire.Quicklink](t, c.Customer, wire.KindQuicklink)
	links = slices.DeleteFunc(links, func(link wire.Quicklink) bool { return link.WebsiteID != c.Engine })
	return web.OK(map[string]any{
		"quicklinks": links, "configurations": struct{}{}, "instantSuggestionsConfiguration": "{}",
	}, err)
}

// toolID returns the ID in the request's path, or 0 if it is invalid; no tool has the ID 0.
func toolID(c *web.Call) int64 {
	id, _ := web.Decimal(c.Request.PathValue("id"))
	return id
}

// AddTool creates a tool from JSON. It returns a web.Problem if the JSON is not a valid tool of this kind.
func (t *Tools) AddTool(customer int64, kind wire.Kind, body []byte) error {
	_, err := t.create(&web.Call{Customer: customer, Body: body}, kind)
	return err
}

// create serves POST of a tool. The tool gets an ID that no tool of this kind and customer ever had.
func (t *Tools) create(c *web.Call, kind wire.Kind) (stored []byte, err error) {
	tool, err := decodeTool(kind, c.Body)
	if err != nil {
		return nil, err
	}
	err = t.Store.Update(func(tx *store.Tx) error {
		const next = "INSERT INTO last VALUES(?, ?, 1) ON CONFLICT DO UPDATE SET id = id + 1 RETURNING id"
		ids, err := store.Column[int64](tx, next, c.Customer, kind)
		if err != nil {
			return fmt.Errorf("make an ID: %w", err)
		}
		stored = withID(kind, ids[0], tool)
		return tx.Do("INSERT INTO tool VALUES(?, ?, ?, ?)", c.Customer, kind, ids[0], stored)
	})
	return stored, err
}

func (t *Tools) get(c *web.Call, kind wire.Kind) ([]byte, error) {
	id := toolID(c)
	found, err := store.All[json.RawMessage](t.Store, ofKind+" AND id = ?", c.Customer, kind, id)
	if err != nil || len(found) == 0 {
		return nil, cmp.Or(err, notThere(kind, id))
	}
	return found[0], nil
}

// replace serves PUT: it replaces all of a tool except the ID. The ID is in the path (synonyms: in the body).
func (t *Tools) replace(c *web.Call, kind wire.Kind) (stored []byte, err error) {
	tool, err := decodeTool(kind, c.Body)
	if err != nil {
		return nil, err
	}
	id := toolID(c)
	if kind == wire.KindSynonyms {
		id = kind.ID(c.Body)
	}
	stored = withID(kind, id, tool)
	return stored, t.Store.Update(func(tx *store.Tx) error {
		return change(tx, "UPDATE tool SET json = ?4", c.Customer, kind, id, stored)
	})
}

// remove serves DELETE of a tool, or of the synonym groups listed in the query string. If one group does
// not exist, none is deleted.
func (t *Tools) remove(c *web.Call, kind wire.Kind) (none []byte, err error) {
	ids := []int64{toolID(c)}
	if kind == wire.KindSynonyms {
		ids, err = groupIDs(c)
	}
	if err != nil {
		return nil, err
	}
	return nil, t.Store.Update(func(tx *store.Tx) error {
		for _, id := range ids {
			if err := change(tx, "DELETE FROM tool", c.Customer, kind, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *Tools) list(c *web.Call, kind wire.Kind) ([]byte, error) {
	site, ok := web.Decimal(c.Request.PathValue("site"))
	if !ok && c.Request.PathValue("site") != "" {
		return nil, web.NotFound()
	}
	return t.listed(c.Customer, kind, "?3 = 0 OR ?3 = coalesce(json->>'WebsiteId', json->>'websiteid')", site)
}

// groupIDs returns the IDs in DELETE synonymsgroup?groupIds=, section 4.2. IDs may be separated by commas,
// and the parameter may be repeated.
func groupIDs(c *web.Call) (ids []int64, err error) {
	query, err := url.ParseQuery(c.Request.URL.RawQuery)
	for part := range strings.SplitSeq(strings.Join(query["groupIds"], ","), ",") {
		id, ok := web.Decimal(part)
		if err != nil || !ok {
			return nil, web.BadRequest("groupIds must be IDs with commas between them")
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// getSynonyms serves GET synonymsgroup/{groupId} (an object) and GET synonymsgroup/{language} (an array).
func (t *Tools) getSynonyms(c *web.Call, kind wire.Kind) ([]byte, error) {
	which := c.Request.PathValue("id")
	if language.MatchString(which) {
		return t.listed(c.Customer, kind, "lower(json->>'language') = lower(?)", which)
	}
	return t.get(c, kind)
}

func notThere(kind wire.Kind, id int64) error {
	return web.Refused(http.StatusNotFound, "the %s with the ID %d was not found", kind, id)
}

// withID inserts the ID as the first key of a tool's JSON. tool must be an object that is not empty.
func withID(kind wire.Kind, id int64, tool []byte) []byte {
	return append(fmt.Appendf(nil, `{"%s":%d,`, kind.ResponseOnly()[0], id), tool[1:]...)
}

const ofKind = "SELECT json FROM tool WHERE customer = ? AND kind = ?"

// All returns a customer's tools of one kind, sorted by ID. T must be the kind's type in package wire.
func All[T any](t *Tools, customer int64, kind wire.Kind) ([]T, error) {
	return store.All[T](t.Store, ofKind+" ORDER BY id", customer, kind)
}

func (t *Tools) listed(customer int64, kind wire.Kind, condition string, value any) ([]byte, error) {
	all, err := store.All[json.RawMessage](t.Store, ofKind+" AND ("+condition+") ORDER BY id", customer, kind, value)
	list, err := web.OK(all, err)
	return list.Body, err
}

// change runs an UPDATE or DELETE statement for one tool. text is the statement without WHERE. more are its
// arguments from ?4 on. The error has the status 404 if the tool does not exist.
func change(tx *store.Tx, text string, customer int64, kind wire.Kind, id int64, more ...any) error {
	args := append([]any{customer, kind, id}, more...)
	changed, err := store.Column[int64](tx, text+" WHERE customer = ?1 AND kind = ?2 AND id = ?3 RETURNING id", args...)
	if err == nil && len(changed) == 0 {
		return notThere(kind, id)
	}
	return err
}
