package store

import (
	"cmp"
	"encoding/json"
	"strings"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// pushOlder serves POST push of the API before v4. The body is an array of documents, as flat objects.
func (s *Store) pushOlder(c *web.Call) (web.Reply, error) {
	sent, err := decodeArray[map[string]json.RawMessage](c, "an array of objects")
	if err != nil {
		return web.Reply{}, err
	}
	documents := []any{}
	for _, values := range sent {
		documents = append(documents, newerDocument(*values))
	}
	c.Body, _ = json.Marshal(documents)
	return s.writeDocuments(c)
}

func newerDocument(values map[string]json.RawMessage) map[string]any {
	kind, id, fields := pageContent, "", map[string]string{}
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

// deleteOlder serves POST delete, which deletes documents in the API before v4. The request body is an array
// of objects that map a document's ID to its type.
func (s *Store) deleteOlder(c *web.Call) (web.Reply, error) {
	sent, err := decodeArray[map[string]string](c, "an array of objects with an ID and its type")
	if err != nil {
		return web.Reply{}, err
	}
	var changes []Change
	for _, types := range sent {
		for id := range *types {
			changes = append(changes, Change{Document: wire.Document{ID: id}, Delete: true})
		}
	}
	return web.OK(map[string]bool{"success": true}, s.Write(c.Customer, c.Crawler, changes))
}
