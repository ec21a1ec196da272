"""A game played to be seen and heard: worked off at its pace, any of its moments, in pictures and in sounds."""
