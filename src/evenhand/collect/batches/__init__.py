"""Providers' batch APIs: pieces handed over, waited for and read."""
