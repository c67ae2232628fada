"""Charts as inline SVG, six kinds."""
