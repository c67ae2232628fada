"""Our probes as tasks of inspect_ai, and our journal as its log; needs the extra `evenhand[inspect]`."""
