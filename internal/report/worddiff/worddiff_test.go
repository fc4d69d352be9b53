package worddiff

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

// plain writes hunks the way git does: [-gone-]{+added+}, with … for what is skipped.
func plain(hunks []Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		b.WriteString(map[Kind]string{Same: h.Text, Gone: "[-" + h.Text + "-]", Added: "{+" + h.Text + "+}", Skipped: "…"}[h.Kind])
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	long := "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
	for _, test := range []struct{ before, after, want string }{
		{"", "", ""},
		{"same", "same", ""},
		{"", "new", "{+new+}"},
		{"old", "", "[-old-]"},
		{"about bees", "about wasps", "about [-bees-]{+wasps+}"},
		{"the old red house", "the new blue house", "the [-old red-]{+new blue+} house"},
		{"opens at 9:00, daily", "opens at 10:00, daily", "opens at [-9-]{+10+}:00, daily"},
		{"港は開いています", "港は閉じています", "港は[-開い-]{+閉じ+}ています"},
		{"first\nsecond\nthird", "first\nthird", "first\n[-second\n-]third"},
		{long + " end", long + " stop", "…ghteen nineteen twenty [-end-]{+stop+}"},
		{"start " + long, "begin " + long, "[-start-]{+begin+} one two three…"},
	} {
		got := plain(Diff(test.before, test.after))
		if strings.Contains(test.want, "…") {
			if !strings.Contains(got, "…") || !strings.Contains(got, "]{+") || len(got) > 110 {
				t.Errorf("Diff(%q, %q) = %q", test.before, test.after, got)
			}
			continue
		}
		if got != test.want {
			t.Errorf("Diff(%q, %q) = %q, want %q", test.before, test.after, got, test.want)
		}
	}
}

// TestDiffIsBounded: texts of 4 MB that share nothing, or little, or one endless word,
// take a bounded time, and show a bounded result.
func TestDiffIsBounded(t *testing.T) {
	random := func(seed int64, vocabulary, lines int) string {
		r := rand.New(rand.NewSource(seed))
		var b strings.Builder
		for b.Len() < 4<<20 {
			fmt.Fprintf(&b, "w%d ", r.Intn(vocabulary))
			if lines > 0 && r.Intn(lines) == 0 {
				b.WriteByte('\n')
			}
		}
		return b.String()
	}
	for name, texts := range map[string][2]string{
		"unlike":   {random(1, 1<<30, 10), random(2, 1<<30, 10)},
		"alike":    {random(1, 3, 0), random(2, 3, 0)},
		"one word": {strings.Repeat("é", 2<<20), strings.Repeat("è", 2<<20)},
	} {
		size := 0
		for _, h := range Diff(texts[0], texts[1]) {
			size += len(h.Text)
			if !utf8.ValidString(h.Text) {
				t.Errorf("%s: cut in a character", name)
			}
		}
		if size == 0 || size > maxResultBytes+2*maxHunkBytes {
			t.Errorf("%s: %d bytes", name, size)
		}
	}
}

// FuzzDiff: the hunks that are gone or the same are parts of the old text in its order,
// those that are added or the same of the new one.
func FuzzDiff(f *testing.F) {
	f.Add("about bees", "about wasps")
	f.Add("a\nb\nc", "a\nc\n\nd")
	f.Add("\xff\u202e", "\u202e\xfe 👩‍👩‍👧")
	f.Fuzz(func(t *testing.T, before, after string) {
		hunks := Diff(before, after)
		if (before == after) != (len(hunks) == 0) {
			t.Fatalf("%d hunks", len(hunks))
		}
		if !utf8.ValidString(before + after) {
			return
		}
		for side, kind := range map[string]Kind{before: Gone, after: Added} {
			for _, h := range hunks {
				if h.Kind != Same && h.Kind != kind {
					continue
				}
				_, rest, found := strings.Cut(side, h.Text)
				if !found {
					t.Fatalf("%q is not in order in %q", h.Text, side)
				}
				side = rest
			}
		}
	})
}
