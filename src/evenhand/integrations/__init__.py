"""Our objects in the shapes of other packages; each subfolder needs an extra of its own."""
