"""Independent checks of the games: a naive second implementation, OpenSpiel, and exact counts.

``python -m tests.oracles [--deals N]`` runs all of it at length and prints what was compared.

The naive implementation (``table/simulation/reference_rules``: it rules the virtual table's truth, too) was written
from the source texts and the rules page before its author had seen a line of the games. Where the two first differed
both texts were silent; these are the readings both have now:

- Whysteria: a lead that must be made after a tie must still be made by the same player when it is withdrawn.
- Oh Hell: two packs have one joker ("add one joker"). A one-card hand on the forehead is not exchanged: nobody
  has seen it. In nullo the sudden death, like the game, is won by the made hand, not by points. When all who are
  left reach 20 faults in the same hand, the best of them win, and a tie among them is played off like any other.
- Oh Hell, options that its source has in half a sentence: "different scoring systems for successful and unsuccessful
  bids" is, in ``scoring = "tricks"``, the common one: a point a trick, and 10 more for a bid that is made. "If two
  players tie at the end of the match" means a tie for the win, with ``tie_break = "every"`` one for any place, the
  best first, and the places of those who are out as well.
  "First player to make all of their hands wins" is, as a race, the first to have made as many hands as are listed:
  the list is dealt again until then, and those who get there in the same hand are tied.
  A neighbour to whom cards are passed sits on the same side of everybody, as agreed.
  "In the final 1-card hand" is the last one of the hands that were agreed, not one that sudden death might add.
- Oh Shit: six or seven use the 63-card pack unless ``pack = 52`` says that it is not available. A joker played at
  no trumps to a suit discarded on before is its own proof of the revoke.
- Israeli Whist: in a hand shorter than 13 the auction starts at 5 or, if that is fewer, at all the cards.
"""
