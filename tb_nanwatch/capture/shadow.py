"""One way to hook into an instance."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

_MISSING = object()


@contextlib.contextmanager
def shadowed(instance: Any, name: str, stand_in: Any) -> Iterator[None]:
    """Lets an attribute of the instance shadow its class's (or its own earlier one) until the block ends."""
    # Through __dict__: Keras's own __setattr__ would start tracking.
    attributes = vars(instance)
    previous = attributes.get(name, _MISSING)
    attributes[name] = stand_in
    try:
        yield
    finally:
        if previous is _MISSING:
            del attributes[name]
        else:
            attributes[name] = previous
