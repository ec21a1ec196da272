"""The reader: from a picture to the cards in it, and the packs that it has been shown.

The path of a picture, each step a module that knows none after it::

    finder      a picture to `Finds`: corner indices, each a rank's and a suit's place (corners: how they fit a card)
    naming      finds to `Names`: two namers' probabilities of each card, with what was learned of the pack in use
    words       a joker's word set across its card is turned and read again (jokers: what else they have of their own)
    evidence    what several readings say together: a card counted as uncommon once, its corners combined
    grouping    which indices are one card, by place and reading
    sightings   one `Sighting` for each card; what is but print on a card is none

`detector` is these in a row, for the mark's picture; `stills` looks at a photograph several times. The packs:
`enrolled` is the owner's, as it is kept, `enrolfit` learns it, `enrollearn` takes its indices from pictures, `courts`
draws those of other court letters. What all need: `labels` (the cards, the namers' heads), `cutout`, `network`.
"""
