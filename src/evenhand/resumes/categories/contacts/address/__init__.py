"""ADDRESS: street addresses, read token by token."""
