"""One model a section of `params.yaml`."""
