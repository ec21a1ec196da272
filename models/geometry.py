"""Where the upright cut-out of an index lies in a picture: one rule for training and for the table."""

from __future__ import annotations

from table.reader.cutout import NARROW, WIDE, Window, cut_upright, upright_matrix, whiten

__all__ = ["NARROW", "WIDE", "Window", "cut_upright", "upright_matrix", "whiten"]
