"""A second camera for scenes: rendered hands, other tables and lenses, and films as strongly compressed as real ones.

It shares the motions and the faces of the cards with ``table.simulation``, and nothing of how a picture is drawn.
"""
