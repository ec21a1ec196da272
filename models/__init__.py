"""The card detector's training side: synthesis, training, evaluation, export. Needs the `train` extra."""
