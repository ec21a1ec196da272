"""The referee: takes all facts in order, judges ties and seats, keeps the journal."""
