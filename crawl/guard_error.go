package crawl

import (
	"fmt"
	"net"
	"net/netip"
)

// RefusedError is the guard's refusal to connect: an address that is neither
// public nor opened by the configuration.
type RefusedError struct {
	Host  string     // as it was asked for, a name or a literal
	Port  string     // in decimal
	Addr  netip.Addr // what Host resolved to
	Block string     // what the address belongs to, in words

	opens blockOpening
	start bool // Host is a start host
}

// Error names host, address and, where there is one, the line of the
// configuration that would allow the connection.
func (e *RefusedError) Error() string {
	what := e.Host + " is"
	if e.Host != e.Addr.String() {
		what = fmt.Sprintf("%s resolves to %s,", e.Host, e.Addr)
	}
	return fmt.Sprintf("%s %s: not connected; %s", what, e.Block, e.remedy())
}

func (e *RefusedError) remedy() string {
	var line string
	switch e.opens {
	case byStart:
		line = fmt.Sprintf(`to crawl this machine name it in site.start: start = ["http://%s/"]`, net.JoinHostPort(e.loopbackName(), e.Port))
	case byNetwork, byAddress:
		line = fmt.Sprintf(`to allow it add fetch.networks = ["%s/%d"]`, e.Addr, e.Addr.BitLen())
		if !e.start {
			line += fmt.Sprintf(" and an address of %s to site.start", e.Host)
		}
	default:
		line = "no configuration allows it"
	}
	return line
}

// loopbackName is how a start address has to name the host.
func (e *RefusedError) loopbackName() string {
	if e.Host == "localhost" {
		return e.Host
	}
	return e.Addr.String()
}
