package crawl

import (
	"fmt"
	"net"

	"golang.org/x/sync/errgroup"
)

// wall is the proxy that the browser has to use, and which lets nothing through.
// What a page may have is handed to it over the DevTools protocol; whatever finds
// a way around that (a worker's own requests, a socket, a window it opened) comes
// out here.
type wall struct {
	net.Listener
	group errgroup.Group
}

func raiseWall() (*wall, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for Chromium: %w", err)
	}
	w := &wall{Listener: listener}
	w.group.Go(w.refuse)
	return w, nil
}

func (w *wall) refuse() error {
	for {
		conn, err := w.Accept()
		if err != nil {
			return err
		}
		_ = conn.Close()
	}
}

// Close ends the wall.
func (w *wall) Close() {
	_ = w.Listener.Close()
	_ = w.group.Wait() // which ends with the listener
}
