"""Adapters to things that rank: the only code that may touch a socket or an engine."""
