"""How hypothesis draws: the same examples at every run, so that tests pass or fail for everyone alike.

New ones, to look for what nobody has thought of: ``python -m pytest --hypothesis-profile explore``.
"""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=1000, deadline=None)
settings.load_profile("steady")
