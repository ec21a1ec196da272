"""Benchmarks of the rules, of a detection pass and of the whole pipeline on this machine."""
