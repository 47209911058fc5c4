"""The tests; a package, because another distribution installs one of this name."""
