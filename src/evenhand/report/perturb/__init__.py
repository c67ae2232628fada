"""The page of a perturbation test."""
