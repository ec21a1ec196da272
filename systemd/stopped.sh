#!/bin/sh
# What is done when the service has stopped, by systemd (ExecStopPost, which sets SERVICE_RESULT and EXIT_STATUS): a table
# that was switched off takes the machine with it, and where it could not draw what is wrong itself, the console says it.
set -eu
CONSOLE=${CONSOLE:-/dev/tty1}
SWITCHED_OFF=6
# What is wrong with the set-up has stood on the screen (table/session/fault_page.py).
WRONG_SET_UP=2

case ${SERVICE_RESULT:-success}:${EXIT_STATUS:-} in
    success:$SWITCHED_OFF) systemctl --no-block poweroff ;;
    success:* | exit-code:$WRONG_SET_UP) ;;
    *)
        {
            printf '\033c'
            echo "The card table has stopped ($SERVICE_RESULT ${EXIT_STATUS:-}). It starts again by itself; no game is lost."
            echo
            echo "If it does not come back:"
            echo "  1. Switch the power off and on again."
            echo "  2. Log in on another console (Alt+F2) or by SSH, and read why:  sudo journalctl -e -u cardtable"
            echo "  3. Install it anew; games and set-up stay:  sudo sh /opt/cardtable/systemd/setup.sh"
        } >"$CONSOLE"
        ;;
esac
