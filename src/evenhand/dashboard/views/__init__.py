"""A view of the dashboards each."""
