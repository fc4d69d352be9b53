package config

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestFingerprint(t *testing.T) {
	base := load(t, minimal).Fingerprint()
	if raw, err := hex.DecodeString(base); err != nil || len(raw) != 32 {
		t.Fatalf("Fingerprint() = %q, want 32 bytes in hexadecimal", base)
	}
	for _, same := range []string{
		"# a comment\n" + minimal,
		minimal + "links = true\n[fetch]\nconcurrency = 9\ndelay = \"1s\"\ntimeout = \"9s\"\nresume = \"1h\"\nmax_failed_share = 0.5\n",
		minimal + "[store]\npath = \"other.db\"\n[push]\nbase_url = \"local\"\napi_key = \"x\"\n[delete]\nmax = 3\n[serve]\npath = \"s\"\n[fleet]\nschedule = \"0 4 * * *\"\ngroup = \"g\"\n[fleet.limits]\nhost = 3\n",
	} {
		if got := load(t, same).Fingerprint(); got != base {
			t.Errorf("the fingerprint moved with:\n%s", same)
		}
	}
	seen := map[string]string{base: minimal}
	for _, other := range []string{
		strings.Replace(minimal, "www", "ww2", 1), minimal + "folder = \"public\"\n", minimal + "sitemaps = \"off\"\n", minimal + "links = false\n",
		minimal + "include = [\"/a\"]\n", minimal + "exclude = [\"/a\"]\n", minimal + "ignore_params = []\n", minimal + "max_pages = 3\n", minimal + "max_depth = 3\n",
		minimal + "[fetch]\nuser_agent = \"x\"\n", minimal + "[fetch]\nmax_body = \"1MB\"\n", minimal + "[fetch]\nmax_file = \"1MB\"\n", minimal + "[fetch]\nrobots = \"ignore\"\n",
		minimal + "[fetch]\nrecheck = \"1d\"\n", minimal + "[fetch]\nrecheck_files = \"1d\"\n", minimal + "[fetch]\nnetworks = [\"10.0.0.0/8\"]\n",
		minimal + "[[fetch.auth]]\norigin = \"https://a.example\"\nuser = \"u\"\npassword = \"p\"\n",
		minimal + "[extract]\ncontent = \"main\"\n", minimal + "[extract]\nexclude = [\"p\"]\n", minimal + "[extract]\ndescription = \"content\"\n", minimal + "[extract]\ntimezone = \"Europe/Oslo\"\n",
	} {
		got := load(t, other).Fingerprint()
		if before, taken := seen[got]; taken {
			t.Errorf("one fingerprint for:\n%sand:\n%s", before, other)
		}
		seen[got] = other
	}
}

// The same file gives the same fingerprint wherever it lies and whatever its
// secrets are.
func TestFingerprintTravels(t *testing.T) {
	const data = minimal + "folder = \"public\"\n[[fetch.auth]]\norigin = \"https://a.example\"\nuser = \"u\"\npassword = \"%\"\nheaders = { X-B = \"%\", X-A = \"%\" }\n"
	one := load(t, strings.ReplaceAll(data, "%", "hunter2")).Fingerprint()
	two := load(t, strings.ReplaceAll(data, "%", "hunter3")).Fingerprint()
	if one != two {
		t.Error("the fingerprint depends on the folder of the file, or on a secret")
	}
	const want = "b858eae4a9bb148adf120e5417ffbdef3ba7f3edb70781044a002d0d25b26f4b"
	if got := load(t, minimal).Fingerprint(); got != want {
		t.Errorf("Fingerprint() = %s, want %s as on every machine; when a new key moved it, say so in the changelog: interrupted crawls start anew", got, want)
	}
}
