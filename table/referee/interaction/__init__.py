"""What people tell the referee: corrections, answers to its questions, requests for the table."""
