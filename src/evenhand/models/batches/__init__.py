"""Providers' batch APIs, brought into one shape."""
