"""The table on the screen: seats, bids, the trick, header and footer, and the panels beside it."""
