package serve

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// files shows what is below root: no hidden file, and nothing that begins like a file of ours,
// which a folder that is served from within holds beside the pages.
func (s *server) files(root *os.Root) http.Handler {
	files := http.FileServerFS(root.FS())
	private := []string{"."}
	for _, path := range []string{s.a.ConfigFile, s.cfg.Store.Path, s.cfg.Serve.Path, s.cfg.Push.APIKeyFile} {
		private = append(private, strings.ToLower(filepath.Base(path))) // "." for none
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name := range strings.SplitSeq(strings.ToLower(r.URL.Path), "/") {
			for _, prefix := range private {
				if strings.HasPrefix(name, prefix) {
					http.NotFound(w, r)
					return
				}
			}
		}
		w.Header().Set("Cache-Control", "no-cache") // what is edited is seen at once
		files.ServeHTTP(w, r)
	})
}
