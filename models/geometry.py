"""Where the upright cut-out of an index lies in a picture: one rule for training and for the table."""

from __future__ import annotations

from table.sight.cutout import CUT_HEIGHT, CUT_WIDTH, cut_upright, upright_matrix, whiten

__all__ = ["CUT_HEIGHT", "CUT_WIDTH", "cut_upright", "upright_matrix", "whiten"]
