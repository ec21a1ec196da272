"""The fault bench: games at the level of facts, the facts damaged, and what the referee makes of them.

``python -m tests.referee.faults --games 1000 --seed 1`` plays random games (``tables``) by the demo's players, who heed
the screen (``people``, ``heed``), lets camera and buttons fail in one way or in several (``damage``, which names the
faults), gives the facts to the referee (``world``), once with nobody answering its questions and once with true answers
(``answers``), and compares its journal with what really happened (``truth``, ``measure``, which says what is counted).
Every game depends on the seed and its own number alone.
"""
