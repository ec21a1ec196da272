"""What the referee stores: the journal, the log of facts beside it, and the state that its judges share."""
