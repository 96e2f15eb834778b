"""`python -m tb_nanwatch` is `tb-nanwatch`."""

import sys

from tb_nanwatch.cli.main import main

sys.exit(main())
