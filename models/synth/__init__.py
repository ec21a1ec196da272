"""Synthesis of training pictures for the card-index detector: packs, scenes, cut-outs, real photographs."""
