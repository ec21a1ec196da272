"""The scene bench: see `tests.scenes.runs`, which the processes that it starts can import."""

import sys

from tests.scenes.runs import main

sys.exit(main())
