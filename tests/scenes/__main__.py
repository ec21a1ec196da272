"""The scene bench: see `tests.scenes.bench`, which the processes that it starts can import."""

import sys

from tests.scenes.bench import main

sys.exit(main())
