package service

import (
	"sitesync/internal/service/search"
	"sitesync/internal/wire"
)

// searchable returns a stored document as it is to be found.
func searchable(k search.Key, doc wire.Document) search.Document {
	fields := map[string][]string{}
	for name := range doc.Fields {
		fields[name] = valuesOf(doc, name)
	}
	if _, own := doc.Fields[dateKey]; !own {
		for _, value := range valuesOf(doc, dateField) {
			if day := day(value); day != "" {
				fields[dateKey] = append(fields[dateKey], day)
			}
		}
	}
	return search.Document{Key: k, Language: languageOf(doc), File: doc.Type != nil && *doc.Type == fileContent, Fields: fields}
}

// languageOf returns the first value of a document's Language.
func languageOf(doc wire.Document) string {
	for _, value := range valuesOf(doc, "Language") {
		return value
	}
	return ""
}
