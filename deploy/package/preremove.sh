#!/bin/sh
# dpkg says "remove", rpm says 0; at an upgrade they say something else, and nothing is stopped.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl stop 'sitesync@*.timer' 'sitesync@*.service' sitesync-fleet-worker.service || true
	fi
	;;
esac
