"""Training of an additive model: splits, the loss with its gap between groups, trees, calibration, the frontier."""
