"""Where and when somebody studied."""
