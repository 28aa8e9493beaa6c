"""Pure functions: matching, metrics, hit levels, statistics, fusion, comparing, suggesting."""
