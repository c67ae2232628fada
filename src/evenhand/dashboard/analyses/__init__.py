"""New analysis: a table that somebody without a terminal brings, and `evenhand impact` run over it."""
