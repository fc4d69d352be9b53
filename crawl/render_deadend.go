package crawl

import (
	"fmt"
	"net"

	"golang.org/x/sync/errgroup"
)

// deadEnd is the proxy that the browser has to use, and which lets nothing through.
// What a page may have is handed to it over the DevTools protocol; whatever finds
// a way around that (a socket, a service worker, a window that a script opened) comes
// out here.
type deadEnd struct {
	net.Listener
	group errgroup.Group
}

func newDeadEnd() (*deadEnd, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for Chromium: %w", err)
	}
	d := &deadEnd{Listener: listener}
	d.group.Go(d.refuse)
	return d, nil
}

func (d *deadEnd) refuse() error {
	for {
		conn, err := d.Accept()
		if err != nil {
			return err
		}
		_ = conn.Close()
	}
}

// Close ends the listening.
func (d *deadEnd) Close() {
	_ = d.Listener.Close()
	_ = d.group.Wait() // which ends with the listener
}
