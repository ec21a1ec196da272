"""The beam search over hypotheses of the hand in play."""
