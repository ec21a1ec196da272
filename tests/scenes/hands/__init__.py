"""Photograph-like hands for scenes: sprites rendered from a rigged mesh, and a compositor that lays them on pictures.

They share nothing with the drawn hands of ``table.simulation``: neither shapes nor colours nor shadows.
"""
