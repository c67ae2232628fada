"""What gives numbers for résumés and positions: a service over HTTP, a Python function, saved scores, a simulation."""
