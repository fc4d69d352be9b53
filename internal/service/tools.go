package service

import (
	"encoding/json"
	"net/http"

	"sitesync/internal/wire"
)

// toolRoutes are those of specification section 4.2 and, with Options.Extended, those
// that it does not show.
func (s *Service) toolRoutes() []route {
	rankings, quicklinks, banners, synonyms := rankingKind(), quicklinkKind(), bannerKind(), synonymsKind()
	routes := []route{
		toolRoute("POST ", rankings, "", s.createTool),
		toolRoute("GET ", rankings, "/{id}", s.getTool),
		// No ranking has this ID: a client tries its credentials so, and calls no tool.
		{"GET /api/rankings/0", EndpointOther, takesBasic, s.getTool(rankings)},
		toolRoute("PUT ", rankings, "/{id}", s.replaceTool),
		toolRoute("GET ", quicklinks, "/{id}", s.getTool),
		toolRoute("PUT ", quicklinks, "/{id}", s.replaceTool),
		toolRoute("DELETE ", quicklinks, "/{id}", s.deleteTool),
		toolRoute("POST ", banners, "", s.createTool),
		toolRoute("GET ", banners, "/{id}", s.getTool),
		toolRoute("DELETE ", banners, "/{id}", s.deleteTool),
		toolRoute("POST ", synonyms, "", s.createTool),
		toolRoute("DELETE ", synonyms, "", s.deleteSynonyms),
		{"GET /_/tools/{customer}/{kind}", endpointOwn, takesBasic, s.showTools},
	}
	if !s.extended {
		return routes
	}
	return append(routes,
		toolRoute("GET ", rankings, "", s.listTools),
		toolRoute("GET ", rankings, "/site/{site}", s.listTools),
		toolRoute("DELETE ", rankings, "/{id}", s.deleteTool),
		toolRoute("POST ", quicklinks, "", s.createTool),
		route{"GET /api/engine/{site}/quicklinks", EndpointQuicklinks, takesBasic, s.listTools(quicklinks)},
		toolRoute("GET ", banners, "/site/{site}", s.listTools),
		toolRoute("PUT ", banners, "/{id}", s.replaceTool),
		toolRoute("PUT ", synonyms, "", s.replaceSynonyms),
		toolRoute("GET ", synonyms, "/{id}", s.getSynonyms),
	)
}

func toolRoute(method string, k toolKind, below string, handle func(toolKind) handler) route {
	return route{method + k.kind.Path() + below, k.endpoint, takesBasic, handle(k)}
}

// toolReply returns the answer with tools as they are stored.
func toolReply(body []byte, err error) (reply, error) {
	return reply{status: http.StatusOK, body: body}, err
}

// createTool is POST of a tool, which is given its ID.
func (s *Service) createTool(k toolKind) handler {
	return func(c *call) (reply, error) {
		tool, err := k.read(c)
		if err == nil {
			tool, err = s.addTool(c.customer, k, tool)
		}
		return toolReply(tool, err)
	}
}

// getTool is GET of one tool.
func (s *Service) getTool(k toolKind) handler {
	return func(c *call) (reply, error) { return toolReply(s.tool(c, k)) }
}

// replaceTool is PUT of a whole tool: nothing of the old one stays but its ID, which is
// that of the path.
func (s *Service) replaceTool(k toolKind) handler {
	return func(c *call) (reply, error) {
		tool, err := k.read(c)
		if err == nil {
			tool, err = s.setTool(c, k, c.toolID(), tool)
		}
		return toolReply(tool, err)
	}
}

// deleteTool is DELETE of one tool.
func (s *Service) deleteTool(k toolKind) handler {
	return func(c *call) (reply, error) { return toolReply(nil, s.removeTools(c, k, c.toolID())) }
}

// listTools is GET of all tools of a kind, or of those of one engine: an array in the
// order of their IDs.
func (s *Service) listTools(k toolKind) handler {
	return func(c *call) (reply, error) {
		site, ok := decimal(c.r.PathValue("site"))
		if !ok && c.r.PathValue("site") != "" {
			return notFound(), nil
		}
		return s.listed(c.customer, k.kind, func(stored []byte) bool {
			var tool struct {
				Site int64 `json:"websiteid"` // or WebsiteId
			}
			return !ok || json.Unmarshal(stored, &tool) == nil && tool.Site == site
		})
	}
}

// showTools is GET /_/tools/{customer}/{kind}: all tools of a kind, as they are stored.
func (s *Service) showTools(c *call) (reply, error) {
	kind := wire.Kind(c.r.PathValue("kind"))
	if kind.Path() == "" {
		return notFound(), nil
	}
	return s.listed(c.customer, kind, func([]byte) bool { return true })
}

// toolID returns the ID of the path, 0 for what can be none: no tool has it.
func (c *call) toolID() int64 {
	if id, ok := decimal(c.r.PathValue("id")); ok {
		return id
	}
	return 0
}
