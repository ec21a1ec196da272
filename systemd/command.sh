#!/bin/sh
# The command `cardtable` on a table that starts by itself: for root, games and lock are those of the service.
[ "$(id -u)" -ne 0 ] || export XDG_STATE_HOME="${XDG_STATE_HOME:-/var/lib}"
exec /opt/cardtable/.venv/bin/cardtable "$@"
