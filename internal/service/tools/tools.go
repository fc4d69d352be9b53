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

// An operation does what a call asks of one kind, and returns the body of the answer.
type operation func(*web.Call, toolKind) ([]byte, error)

// Routes are those of specification section 4.2 and those that it does not show.
func (t *Tools) Routes() (routes []web.Route) {
	rankings, quicklinks, banners, synonyms := rankingKind(), quicklinkKind(), bannerKind(), synonymsKind()
	at := func(pattern string, k toolKind, do operation) {
		handle := func(c *web.Call) (web.Reply, error) { return reply(do(c, k)) }
		routes = append(routes, web.Route{Pattern: pattern, Takes: web.Basic, Handle: handle})
	}
	add := func(method string, k toolKind, below string, do operation) { at(method+" "+k.kind.Path()+below, k, do) }
	add("POST", rankings, "", t.create)
	add("GET", rankings, "/{id}", t.get)
	add("PUT", rankings, "/{id}", t.replace)
	add("GET", quicklinks, "/{id}", t.get)
	add("PUT", quicklinks, "/{id}", t.replace)
	add("DELETE", quicklinks, "/{id}", t.remove)
	add("POST", banners, "", t.create)
	add("GET", banners, "/{id}", t.get)
	add("DELETE", banners, "/{id}", t.remove)
	add("POST", synonyms, "", t.create)
	add("DELETE", synonyms, "", t.remove)
	if !t.Extended {
		return routes
	}
	add("GET", rankings, "", t.list)
	add("GET", rankings, "/site/{site}", t.list)
	add("DELETE", rankings, "/{id}", t.remove)
	add("POST", quicklinks, "", t.create)
	at("GET /api/engine/{site}/quicklinks", quicklinks, t.list)
	add("GET", banners, "/site/{site}", t.list)
	add("PUT", banners, "/{id}", t.replace)
	add("PUT", synonyms, "", t.replace)
	add("GET", synonyms, "/{id}", t.getSynonyms)
	return routes
}

// reply returns the answer with tools as they are stored.
func reply(body []byte, err error) (web.Reply, error) {
	return web.Reply{Status: http.StatusOK, Body: body}, err
}

// toolID returns the ID of the path, 0 for what can be none: no tool has it.
func toolID(c *web.Call) int64 {
	id, _ := web.Decimal(c.Request.PathValue("id"))
	return id
}

// Add creates a tool of a customer from its JSON. It errs with web.Problem where that is
// no such tool.
func (t *Tools) Add(customer int64, kind wire.Kind, body []byte) error {
	for _, k := range []toolKind{rankingKind(), quicklinkKind(), bannerKind(), synonymsKind()} {
		if k.kind == kind {
			_, err := t.create(&web.Call{Customer: customer, Body: body}, k)
			return err
		}
	}
	return web.NotFound()
}

// create is POST of a tool, which is given an ID that no tool of its kind and customer
// ever had.
func (t *Tools) create(c *web.Call, k toolKind) (stored []byte, err error) {
	tool, err := k.read(c)
	if err != nil {
		return nil, err
	}
	err = t.Store.Update(func(tx *store.Tx) error {
		ids, err := store.Column[int64](tx, "INSERT INTO last VALUES(?, ?, 1) ON CONFLICT DO UPDATE SET id = id + 1 RETURNING id", c.Customer, k.kind)
		if err != nil {
			return fmt.Errorf("make an ID: %w", err)
		}
		stored = k.withID(ids[0], tool)
		return tx.Do("INSERT INTO tool VALUES(?, ?, ?, ?)", c.Customer, k.kind, ids[0], stored)
	})
	return stored, err
}

// get is GET of one tool.
func (t *Tools) get(c *web.Call, k toolKind) ([]byte, error) {
	id := toolID(c)
	for stored, err := range t.Store.List(ofKind+" AND id = ?", c.Customer, k.kind, id) {
		return bytes.Clone(stored), err
	}
	return nil, k.notThere(id)
}

// replace is PUT of a whole tool: nothing of the old one stays but its ID, which is that
// of the path, and that of the body for synonyms.
func (t *Tools) replace(c *web.Call, k toolKind) (stored []byte, err error) {
	tool, err := k.read(c)
	if err != nil {
		return nil, err
	}
	id := toolID(c)
	if k.kind == wire.KindSynonyms {
		if id = k.kind.ID(c.Body); id < 1 {
			return nil, web.BadRequest("groupId must be the ID of a synonym group")
		}
	}
	stored = k.withID(id, tool)
	return stored, t.Store.Update(func(tx *store.Tx) error {
		return t.change(tx, k, id, "UPDATE tool SET json = ?4 WHERE customer = ?1 AND kind = ?2 AND id = ?3 RETURNING id", c.Customer, k.kind, id, stored)
	})
}

// remove is DELETE of the tool of the path, or of the synonyms of the query: all of them go, or
// none where one is not there.
func (t *Tools) remove(c *web.Call, k toolKind) (none []byte, err error) {
	ids := []int64{toolID(c)}
	if k.kind == wire.KindSynonyms {
		ids, err = groupIDs(c)
	}
	if err != nil {
		return nil, err
	}
	return nil, t.Store.Update(func(tx *store.Tx) error {
		for _, id := range ids {
			if err := t.change(tx, k, id, "DELETE FROM tool WHERE customer = ? AND kind = ? AND id = ? RETURNING id", c.Customer, k.kind, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// list is GET of all tools of a kind, or of those of one engine: an array in the order of
// their IDs.
func (t *Tools) list(c *web.Call, k toolKind) ([]byte, error) {
	site, ok := web.Decimal(c.Request.PathValue("site"))
	if !ok && c.Request.PathValue("site") != "" {
		return nil, web.NotFound()
	}
	return t.listed(c.Customer, k.kind, "?3 = 0 OR ?3 = coalesce(json->>'WebsiteId', json->>'websiteid')", site)
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
func (t *Tools) getSynonyms(c *web.Call, k toolKind) ([]byte, error) {
	which := c.Request.PathValue("id")
	if isLanguage(which) {
		return t.listed(c.Customer, k.kind, "lower(json->>'language') = lower(?)", which)
	}
	return t.get(c, k)
}

// notThere is the refusal of an ID that no tool of the kind has.
func (k toolKind) notThere(id int64) error {
	return web.Problem{Status: http.StatusNotFound, Message: fmt.Sprintf("the %s with the ID %d was not found", k.kind, id)}
}

// withID returns a tool, which has members, with its ID before them.
func (k toolKind) withID(id int64, tool []byte) []byte {
	return append(fmt.Appendf(nil, `{"%s":%d,`, k.id, id), tool[1:]...)
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
func (t *Tools) change(tx *store.Tx, k toolKind, id int64, text string, args ...any) error {
	changed, err := store.Column[int64](tx, text, args...)
	if err == nil && len(changed) == 0 {
		return k.notThere(id)
	}
	return err
}
