"""A swarm of fireflies as an Optuna sampler, from the package luciole."""

from luciole.integrations.optuna import FireflySampler

__all__ = ["FireflySampler"]
