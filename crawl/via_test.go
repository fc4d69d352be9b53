package crawl

import (
	"testing"
)

func TestViaFaults(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"no start origin": {Options{Via: map[string]string{"https://live.test": "https://stage.test"}}, "site.via: https://live.test is no origin of site.start, which has https://www.a.test"},
		"crawled itself":  {Options{Via: map[string]string{"https://www.a.test": "https://files.test/"}, FileHosts: []string{"files.test"}}, "take it out of site.start"},
		"for two":         {Options{Start: []string{"https://b.test/"}, Via: map[string]string{"https://www.a.test": "https://s.test", "https://b.test": "https://s.test"}}, "both https://b.test and https://www.a.test"},
		"no origin":       {Options{Via: map[string]string{"https://www.a.test": "stage"}}, "read origin"},
		"a folder":        {Options{Folder: t.TempDir(), Via: map[string]string{"https://www.a.test": "https://s.test"}}, "remove one of the two"},
	} {
		c.o.Start = append(c.o.Start, "https://www.a.test/")
		_, err := New(c.o)
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		holds(t, name, err.Error(), c.want)
	}
}
