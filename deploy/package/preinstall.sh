#!/bin/sh
# Before the files are there: some of them belong to this group.
set -e
getent group sitesync >/dev/null || groupadd --system sitesync
getent passwd sitesync >/dev/null ||
	useradd --system --gid sitesync --home-dir /var/lib/sitesync --no-create-home --shell /usr/sbin/nologin sitesync
