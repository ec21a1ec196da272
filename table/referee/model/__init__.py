"""The values of the search: hypotheses, observations, evidence, costs, and the view that the screen is drawn from."""
