"""Retrieval evaluation: golden cases, recordings, metrics and reports."""
