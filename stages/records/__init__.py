"""What crosses a stage boundary: frozen models without behaviour."""
