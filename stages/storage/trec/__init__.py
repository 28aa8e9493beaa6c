"""Run and judgment files of the TREC kind, read fast and checked whole."""
