"""`python -m luciole`."""

from luciole.cli import main

main()
