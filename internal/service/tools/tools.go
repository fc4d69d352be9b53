package tools

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Tools are the search tools of all customers, kept in the store.
type Tools struct {
	Store    *store.Store
	Extended bool // serve the operations that the specification does not show, too
}

// Routes are those of specification section 4.2 and those that it does not show.
func (t *Tools) Routes() (routes []web.Route) {
	const rankings, quicklinks, banners, synonyms = wire.KindRanking, wire.KindQuicklink, wire.KindBanner, wire.KindSynonyms
	add := func(pattern string, kind wire.Kind, do func(*web.Call, wire.Kind) ([]byte, error)) {
		routes = append(routes, web.Route{Pattern: pattern, Takes: web.Basic, Handle: func(c *web.Call) (web.Reply, error) {
			body, err := do(c, kind)
			return web.Reply{Status: http.StatusOK, Body: body}, err
		}})
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
	routes = append(routes, web.Route{
		Pattern: "GET /api/v3/{customer}/{engine}/websites/publicsettings", Takes: web.SiteKey | web.Basic | web.None, Handle: t.publicSettings,
	})
	if !t.Extended {
		return routes
	}
	add("GET /api/rankings", rankings, t.list)
	add("GET /api/rankings/site/{site}", rankings, t.list)
	add("DELETE /api/rankings/{id}", rankings, t.remove)
	add("POST /api/quicklinks", quicklinks, t.create)
	add("GET /api/engine/{site}/quicklinks", quicklinks, t.list)
	add("GET /api/banners/site/{site}", banners, t.list)
	add("PUT /api/banners/{id}", banners, t.replace)
	add("PUT /api/synonymsgroup", synonyms, t.replace)
	add("GET /api/synonymsgroup/{id}", synonyms, t.getSynonyms)
	return routes
}

// publicSettings answers an engine's quicklinks in the shape that clients from before v4 read.
func (t *Tools) publicSettings(c *web.Call) (web.Reply, error) {
	links, err := All[wire.Quicklink](t, c.Customer, wire.KindQuicklink)
	links = slices.DeleteFunc(links, func(link wire.Quicklink) bool { return link.WebsiteID != c.Engine })
	return web.OK(map[string]any{"quicklinks": links, "configurations": struct{}{}, "instantSuggestionsConfiguration": "{}"}, err)
}

// toolID returns the ID of the path, 0 for what can be none: no tool has it.
func toolID(c *web.Call) int64 {
	id, _ := web.Decimal(c.Request.PathValue("id"))
	return id
}

// AddTool creates a tool of a customer from its JSON. It errs with web.Problem where that is
// no such tool.
func (t *Tools) AddTool(customer int64, kind wire.Kind, body []byte) error {
	_, err := t.create(&web.Call{Customer: customer, Body: body}, kind)
	return err
}

// create is POST of a tool, which is given an ID that no tool of its kind and customer
// ever had.
func (t *Tools) create(c *web.Call, kind wire.Kind) (stored []byte, err error) {
	tool, err := read(kind, c.Body)
	if err != nil {
		return nil, err
	}
	err = t.Store.Update(func(tx *store.Tx) error {
		ids, err := store.Column[int64](tx, "INSERT INTO last VALUES(?, ?, 1) ON CONFLICT DO UPDATE SET id = id + 1 RETURNING id", c.Customer, kind)
		if err != nil {
			return fmt.Errorf("make an ID: %w", err)
		}
		stored = withID(kind, ids[0], tool)
		return tx.Do("INSERT INTO tool VALUES(?, ?, ?, ?)", c.Customer, kind, ids[0], stored)
	})
	return stored, err
}

// get is GET of one tool.
func (t *Tools) get(c *web.Call, kind wire.Kind) ([]byte, error) {
	id := toolID(c)
	for stored, err := range t.Store.List(ofKind+" AND id = ?", c.Customer, kind, id) {
		return bytes.Clone(stored), err
	}
	return nil, notThere(kind, id)
}

// replace is PUT of a whole tool: nothing of the old one stays but its ID, which is that
// of the path, and that of the body for synonyms.
func (t *Tools) replace(c *web.Call, kind wire.Kind) (stored []byte, err error) {
	tool, err := read(kind, c.Body)
	if err != nil {
		return nil, err
	}
	id := toolID(c)
	if kind == wire.KindSynonyms {
		id = kind.ID(c.Body)
	}
	stored = withID(kind, id, tool)
	return stored, t.Store.Update(func(tx *store.Tx) error {
		return change(tx, kind, id, "UPDATE tool SET json = ?4 WHERE customer = ?1 AND kind = ?2 AND id = ?3 RETURNING id", c.Customer, kind, id, stored)
	})
}

// remove is DELETE of the tool of the path, or of the synonyms of the query: all of them go, or
// none where one is not there.
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
			if err := change(tx, kind, id, "DELETE FROM tool WHERE customer = ? AND kind = ? AND id = ? RETURNING id", c.Customer, kind, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// list is GET of all tools of a kind, or of those of one engine: an array in the order of
// their IDs.
func (t *Tools) list(c *web.Call, kind wire.Kind) ([]byte, error) {
	site, ok := web.Decimal(c.Request.PathValue("site"))
	if !ok && c.Request.PathValue("site") != "" {
		return nil, web.NotFound()
	}
	return t.listed(c.Customer, kind, "?3 = 0 OR ?3 = coalesce(json->>'WebsiteId', json->>'websiteid')", site)
}

// groupIDs returns those of DELETE synonymsgroup?groupIds=, section 4.2: with commas between
// them, the parameter repeated, or both.
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

// getSynonyms is GET synonymsgroup/{groupId}, an object, and GET
// synonymsgroup/{language}, an array.
func (t *Tools) getSynonyms(c *web.Call, kind wire.Kind) ([]byte, error) {
	which := c.Request.PathValue("id")
	if isLanguage(which) {
		return t.listed(c.Customer, kind, "lower(json->>'language') = lower(?)", which)
	}
	return t.get(c, kind)
}

// notThere is the refusal of an ID that no tool of the kind has.
func notThere(kind wire.Kind, id int64) error {
	return web.Refused(http.StatusNotFound, "the %s with the ID %d was not found", kind, id)
}

// withID returns a tool, which has members, with its ID before them.
func withID(kind wire.Kind, id int64, tool []byte) []byte {
	return append(fmt.Appendf(nil, `{"%s":%d,`, kind.ResponseOnly()[0], id), tool[1:]...)
}

const ofKind = "SELECT json FROM tool WHERE customer = ? AND kind = ?"

// All returns the tools of one kind that a customer has, in order of their IDs. T is the
// kind's type in wire.
func All[T any](t *Tools, customer int64, kind wire.Kind) ([]T, error) {
	return store.All[T](t.Store, ofKind+" ORDER BY id", customer, kind)
}

// listed returns an array of the tools that a condition holds for.
func (t *Tools) listed(customer int64, kind wire.Kind, condition string, value any) (list []byte, err error) {
	const array = "SELECT '[' || ifnull(group_concat(json ORDER BY id), '') || ']' FROM tool WHERE customer = ? AND kind = ? AND "
	for list, err = range t.Store.List(array+"("+condition+")", customer, kind, value) {
		list = bytes.Clone(list)
	}
	return list, err
}

// change runs a statement that returns the ID of the tool that it changes.
func change(tx *store.Tx, kind wire.Kind, id int64, text string, args ...any) error {
	changed, err := store.Column[int64](tx, text, args...)
	if err == nil && len(changed) == 0 {
		return notThere(kind, id)
	}
	return err
}
