"""Tests of the sub-commands that need more than a few lines."""
