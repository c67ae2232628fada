"""Cases that people label, and that models are held against."""
