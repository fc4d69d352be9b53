package report

import "testing"

func TestPaint(t *testing.T) {
	for line, want := range map[string]string{
		"put    https://x/ (new)":     "\x1b[32mput    https://x/ (new)\x1b[0m",
		"delete https://x/ (missing)": "\x1b[31mdelete https://x/ (missing)\x1b[0m",
		"held:":                       "\x1b[33mheld:\x1b[0m",
		"3 put; 0 unchanged":          "3 put; 0 unchanged",
	} {
		if got := paint(line); got != want {
			t.Errorf("paint(%q) = %q, want %q", line, got, want)
		}
	}
}
