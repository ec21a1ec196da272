"""The reader: from a picture to the cards in it, and the packs that it has been shown."""
