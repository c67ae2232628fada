"""What a page is made of, and what stands on every page."""
