"""A view each: what is asked of it, and the page that answers."""
