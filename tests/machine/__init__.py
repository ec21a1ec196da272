"""The whole machine under QEMU: boot, play, pull the plug. A bench of its own, not part of ``make test``."""
