"""The sub-commands of `cardtable`, one module each."""
