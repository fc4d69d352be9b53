package cli

import (
	"errors"
	"maps"
	"reflect"
	"testing"
)

// TestServing reads the flags of serve; what is wrong is an error of usage.
func TestServing(t *testing.T) {
	good := serving{
		extended: true, origins: []string{"https://www.example.com"}, hosts: []string{"search.example.com"},
		feeds: []string{"7=news", "7=a=b", "8=news"}, crawlers: []string{"news=active", "a=b=inactive"},
	}
	o, err := good.options()
	feeds := map[int64][]string{7: {"news", "a=b"}, 8: {"news"}}
	if err != nil || !o.Extended || !reflect.DeepEqual(o.Feeds, feeds) || !reflect.DeepEqual(o.Origins, good.origins) || !reflect.DeepEqual(o.Hosts, good.hosts) {
		t.Errorf("got %+v, %v", o, err)
	}
	if active, err := good.activity(1); err != nil || !maps.Equal(active, map[string]bool{"news": true, "a=b": false}) {
		t.Errorf("got %v, %v", active, err)
	}
	for _, wrong := range []serving{
		{origins: []string{"https://*.example.com"}}, {hosts: []string{"*"}},
		{feeds: []string{"news"}}, {feeds: []string{"x=news"}}, {feeds: []string{"-1=news"}}, {feeds: []string{"7="}},
		{crawlers: []string{"news"}}, {crawlers: []string{"=active"}}, {crawlers: []string{"news=Active"}}, {crawlers: []string{"active"}},
	} {
		_, err := wrong.options()
		if err == nil {
			_, err = wrong.activity(1)
		}
		if usage := (usageError{}); !errors.As(err, &usage) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}
