"""An X server for windows that a real display is needed for."""

from tests.test_under_xvfb import display

__all__ = ["display"]
