#!/bin/sh
# State and configuration stay until "apt purge"; rpm knows no purge, so there they stay.
set -e
units=/etc/systemd/system
case "$1" in
purge)
	rm -rf /etc/sitesync /var/lib/sitesync
	rm -rf $units/sitesync@*.d $units/sitesync-fleet-worker.service.d
	rm -f /var/lib/systemd/timers/stamp-sitesync@*.timer
	case "$(getent passwd sitesync)" in
	*:/var/lib/sitesync:/usr/sbin/nologin) userdel sitesync || true ;; # not a person of that name
	esac
	;;
esac
case "$1" in
purge | 0)
	rm -f $units/*.wants/sitesync@*.timer $units/*.wants/sitesync-fleet-worker.service
	;;
esac
case "$1" in
remove | purge | 0)
	if [ -d /run/systemd/system ]; then
		systemctl daemon-reload || true
	fi
	;;
esac
