"""Mutation testing: which small faults in judging code no test notices. ``python -m tests.mutants --count 300``."""
