"""All about one entry of a registry."""
