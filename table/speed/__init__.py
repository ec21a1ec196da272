"""How fast rules, looks and the whole path are on this machine."""
