"""Card tracking: turns a sequence of frames into facts about the cards on the mark."""
