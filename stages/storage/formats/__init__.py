"""Other people's files: one format a module, each documented in docs/formats.md with what is lost."""
