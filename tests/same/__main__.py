"""The regression net: see `tests.same.cli`, which the processes that it starts can import."""

import sys

from tests.same.cli import main

sys.exit(main())
