"""The views of the dashboards, one module each."""
