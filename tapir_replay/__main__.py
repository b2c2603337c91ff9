"""`python -m tapir_replay`."""

import sys

from tapir_replay.cli.main import main

sys.exit(main())
