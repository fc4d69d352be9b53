package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// Nothing that prints, logs or encodes a configuration shows its secrets.
func TestSecretsStayHidden(t *testing.T) {
	c := Default()
	c.Push.APIKey = "hunter2"
	c.Fetch.Auth = []Auth{{Origin: "https://a.example", User: "u", Password: "hunter2", Headers: map[string]Secret{"X-Token": "hunter2"}}}
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	logger.Info("configuration", "key", c.Push.APIKey, "all", c, "auth", c.Fetch.Auth)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("configuration", "key", c.Push.APIKey, "all", c)
	shown := []string{log.String(), fmt.Sprint(c), fmt.Sprintln(&c, c.Push.APIKey), c.Push.APIKey.String()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%c", "%f", "%T"} {
		shown = append(shown, fmt.Sprintf(verb, c), fmt.Sprintf(verb, &c), fmt.Sprintf(verb, c.Push.APIKey), fmt.Sprintf(verb, c.Fetch.Auth))
	}
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	shown = append(shown, string(data))
	for _, s := range shown {
		for _, form := range []string{"hunter2", "68756e74657232", "104 117 110"} {
			if strings.Contains(strings.ToLower(s), form) {
				t.Errorf("a secret is shown: %s", s)
			}
		}
	}
	if got := c.Push.APIKey.String(); got != "[secret]" || string(c.Push.APIKey) != "hunter2" {
		t.Errorf("String() = %q, want [secret]; string() = %q, want the value", got, string(c.Push.APIKey))
	}
}
