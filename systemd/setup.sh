#!/bin/sh
# From Raspberry Pi OS (Bookworm or Trixie, 64 bit, Lite) to a table that starts at power-up.
#
#   sudo sh systemd/setup.sh            installs, or brings up to date what is installed
#   sudo sh systemd/setup.sh update     fetches the newest version first
#   sudo sh systemd/setup.sh uninstall  takes it away; games and table.toml stay (--purge: these too)
#
# Run again it changes nothing that is right already. ROOT=folder puts the files below another root and asks nothing of
# the running system but through the commands in PATH (so it can be tried).
set -eu
# However closed root keeps its own files: the service is somebody else, and reads program and set-up.
umask 022

ROOT=${ROOT:-}
APP=/opt/cardtable
ETC=/etc/cardtable
STATE=/var/lib/cardtable
CACHE=/var/cache/cardtable
UNIT=/etc/systemd/system/cardtable.service
WATCHDOG=/etc/systemd/system.conf.d/cardtable.conf
STICK=/etc/udev/rules.d/90-cardtable-stick.rules
MEDIA=/media/cardtable
BOOT=/boot/firmware/config.txt
COMMAND=/usr/local/bin/cardtable
BEGIN='# >>> card table >>>'
END='# <<< card table <<<'
# The screen without a desktop: what SDL loads to draw on the console.
PACKAGES='git make python3-venv python3-picamera2 libdrm2 libgbm1 libegl1 libgles2 libgl1-mesa-dri'
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

say() { printf '%s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 2; }

check() {
    [ -n "$ROOT" ] || [ "$(id -u)" -eq 0 ] || die "expected root (sudo sh systemd/setup.sh)"
    architecture=$(dpkg --print-architecture 2>/dev/null) || die "no dpkg: expected Raspberry Pi OS"
    [ "$architecture" = arm64 ] || die "this system is $architecture: expected 64 bit (arm64)"
    . "$ROOT/etc/os-release"
    case ${VERSION_CODENAME:-} in
        bookworm | trixie) ;;
        *) die "this system is ${PRETTY_NAME:-unknown}: expected Raspberry Pi OS Bookworm or Trixie" ;;
    esac
}

packages() {
    say "1. packages: $PACKAGES"
    apt-get update -qq
    # However quiet apt is, dpkg tells of each package; what goes wrong is told on the other channel.
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $PACKAGES >/dev/null
}

program() {
    say "2. program: $APP"
    if [ "$HERE" != "$APP" ] && [ ! -e "$ROOT$APP/.git" ]; then
        mkdir -p "$ROOT/opt"
        part="$ROOT$APP.part"
        rm -rf "$part"
        git clone -q "$HERE" "$part"
        origin=$(git -C "$HERE" remote get-url origin 2>/dev/null) && git -C "$part" remote set-url origin "$origin"
        # After a power cut the program is there as a whole, or not at all.
        sync
        mv -T "$part" "$ROOT$APP"
    fi
    # The service may not write there, so what Python would keep for the next start is made now.
    make -s -C "$ROOT$APP" compiled
    mkdir -p "$ROOT$(dirname "$COMMAND")"
    install -m 755 "$ROOT$APP/systemd/command.sh" "$ROOT$COMMAND"
}

user() {
    say "3. user: cardtable"
    getent passwd cardtable >/dev/null ||
        useradd --system --home-dir "$STATE" --shell /usr/sbin/nologin cardtable
    # systemd would make them too, but not on a card that has become read-only, of which the table itself shall tell.
    mkdir -p "$ROOT$STATE" "$ROOT$CACHE"
    # -R: games that root has brought back, or that stayed when the table was taken away, are another user's.
    chown -R cardtable: "$ROOT$STATE" "$ROOT$CACHE"
}

config() {
    say "4. set-up: $ETC"
    mkdir -p "$ROOT$ETC"
    chmod 755 "$ROOT$ETC"
    # The service writes table.toml there as it starts first, and what its menu finds out: where the mark is, and the
    # pack. What root has cardtable write there is written with the service's rights (table/files/write_as_folder_owner.py).
    chown -R cardtable: "$ROOT$ETC"
}

without_block() {
    sed "/^$BEGIN\$/,/^$END\$/d" "$1"
}

boot() {
    say "5. boot: $BOOT"
    [ -e "$ROOT$BOOT" ] || die "$BOOT: no such file: expected Raspberry Pi OS"
    [ -e "$ROOT$BOOT.before-cardtable" ] || cp "$ROOT$BOOT" "$ROOT$BOOT.before-cardtable"
    part="$ROOT$BOOT.part"
    # [all]: lines before it may be for one model only.
    { without_block "$ROOT$BOOT"; say "$BEGIN"; say '[all]'; cat "$ROOT$APP/hardware/config.txt"; say "$END"; } >"$part"
    mv "$part" "$ROOT$BOOT"
}

# Whether the system runs that is set up; an image that is being made reads all this when it starts.
runs() { [ -d "$ROOT/run/systemd/system" ]; }

reload() {
    if runs; then
        udevadm control --reload
        systemctl daemon-reload
    fi
}

units() {
    say "6. service: $UNIT"
    mkdir -p "$ROOT$(dirname "$UNIT")" "$ROOT$(dirname "$WATCHDOG")"
    install -m 644 "$ROOT$APP/systemd/cardtable.service" "$ROOT$UNIT"
    printf '[Manager]\nRuntimeWatchdogSec=15\n' >"$ROOT$WATCHDOG"
    chmod 644 "$ROOT$WATCHDOG"
    mkdir -p "$ROOT$(dirname "$STICK")" "$ROOT$MEDIA"
    install -m 644 "$ROOT$APP/systemd/90-cardtable-stick.rules" "$ROOT$STICK"
    reload
    systemctl enable -q cardtable.service
}

install_all() {
    check
    packages
    program
    user
    config
    boot
    units
    say "Done. Next: sudo reboot. The table comes up with its menu (hardware/README.md, step 4)."
}

update() {
    check
    [ -e "$ROOT$APP/.git" ] || die "$APP: nothing is installed there (sudo sh systemd/setup.sh)"
    git -C "$ROOT$APP" pull -q --ff-only
    # The new version's own script goes on: it knows what the new version needs.
    sh "$ROOT$APP/systemd/setup.sh"
    if runs; then systemctl try-restart cardtable.service; fi
}

uninstall() {
    [ -n "$ROOT" ] || [ "$(id -u)" -eq 0 ] || die "expected root (sudo sh systemd/setup.sh uninstall)"
    systemctl disable -q --now cardtable.service 2>/dev/null || true
    rm -f "$ROOT$UNIT" "$ROOT$WATCHDOG" "$ROOT$COMMAND" "$ROOT$STICK"
    rmdir "$ROOT$MEDIA" 2>/dev/null || true
    rm -rf "$ROOT$UNIT.d" "$ROOT$CACHE"
    reload
    if [ -e "$ROOT$BOOT" ]; then
        without_block "$ROOT$BOOT" >"$ROOT$BOOT.part"
        mv "$ROOT$BOOT.part" "$ROOT$BOOT"
    fi
    if [ "${1:-}" = --purge ]; then
        rm -rf "$ROOT$ETC" "$ROOT$STATE"
        say "Games and set-up are gone too."
    else
        say "Games ($STATE) and set-up ($ETC) are still there (--purge takes them away too)."
    fi
    # The screen is the console's again.
    if runs; then systemctl start getty@tty1.service; fi
    if getent passwd cardtable >/dev/null; then userdel cardtable; fi
    rm -rf "$ROOT$APP"
    say "The packages stay; the old $BOOT lies beside it (.before-cardtable)."
}

case ${1:-install} in
    install) install_all ;;
    update) update ;;
    uninstall) uninstall "${2:-}" ;;
    *) die "$1: expected nothing, update or uninstall" ;;
esac
