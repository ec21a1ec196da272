"""The rules engine that all games share: a state and an event give the next state or a refusal."""
