"""The exceptions luciole raises; catch `LucioleError` for all of them."""


class LucioleError(Exception):
    """Base of every exception that luciole raises on purpose."""


class ArgumentError(LucioleError, ValueError):
    """An argument has a value that is not allowed; the message names it, what was given and what is allowed."""


class ObjectiveError(LucioleError, TypeError):
    """The objective or a constraint returned something that is not a number."""


class StateError(LucioleError, RuntimeError):
    """A call came at a time when it makes no sense, such as telling a trial that was never asked."""


class CheckError(LucioleError, AssertionError):
    """The best known design of a problem does not have the value it should have, or is not feasible."""


class FileError(LucioleError, ValueError):
    """A file that should hold a saved state is damaged, foreign or from another version."""


class MissingExtraError(LucioleError, ImportError):
    """A feature needs a package that is not installed; the message names the extra that brings it."""
