"""The sub-commands of `cardtable`, one module each; a module has ``add_parser`` and ``run``."""
