package service

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// olderRoutes are calls of the interface before v4 that clients still make, by the newer ones.
func (s *Service) olderRoutes(newer []web.Route) []web.Route {
	handler := func(pattern string) web.Handler {
		return newer[slices.IndexFunc(newer, func(r web.Route) bool { return r.Pattern == pattern })].Handle
	}
	put := handler("PUT /api/v4/{customer}/index/{crawler}/documents")
	const content = "POST /api/v3/{customer}/content/{crawler}/"
	const anyone = web.SiteKey | web.Basic | web.None
	return []web.Route{
		{Pattern: content + "pushurls", Takes: web.Basic, Handle: handler("POST /api/v4/{customer}/crawler/{crawler}/paths")},
		{Pattern: content + "push", Takes: web.Basic, Handle: func(c *web.Call) (web.Reply, error) {
			var sent []map[string]json.RawMessage
			if json.Unmarshal(c.Body, &sent) != nil {
				return web.Reply{}, web.BadRequest("the body must be an array of objects")
			}
			documents := []any{}
			for _, values := range sent {
				documents = append(documents, newerDocument(values))
			}
			c.Body, _ = json.Marshal(documents) // of texts
			return put(c)
		}},
		{Pattern: content + "delete", Takes: web.Basic, Handle: func(c *web.Call) (web.Reply, error) {
			var types []map[string]string // by ID
			if json.Unmarshal(c.Body, &types) != nil {
				return web.Reply{}, web.BadRequest("the body must be an array of objects with an ID and its type")
			}
			var changes []store.Change
			for _, one := range types {
				for id := range one {
					changes = append(changes, store.Change{Document: wire.Document{ID: id}, Delete: true})
				}
			}
			return web.OK(map[string]bool{"success": true}, s.Write(c.Customer, c.Crawler, changes))
		}},
		{Pattern: "GET /api/v3/{customer}/{engine}/websites/publicsettings", Takes: anyone, Handle: s.publicSettings},
	}
}

// publicSettings answers the quicklinks of an engine.
func (s *Service) publicSettings(c *web.Call) (web.Reply, error) {
	links, err := tools.All[wire.Quicklink](s.tools, c.Customer, wire.KindQuicklink)
	links = slices.DeleteFunc(links, func(link wire.Quicklink) bool { return link.WebsiteID != c.Engine })
	settings := map[string]any{"quicklinks": links, "configurations": struct{}{}, "instantSuggestionsConfiguration": "{}"}
	return web.OK(settings, err)
}

// newerDocument returns a flat document as v4 has it; one without an Id has its Url as its ID.
func newerDocument(values map[string]json.RawMessage) map[string]any {
	kind, id, fields := "PageContent", "", map[string]string{}
	for name, value := range values {
		text, _ := wire.Text(value)
		switch strings.ToLower(name) {
		case "id":
			id = text
		case "type":
			kind = text
		default:
			fields[name] = text
		}
	}
	return map[string]any{"id": cmp.Or(id, fields["Url"]), "type": kind, "fields": fields}
}
