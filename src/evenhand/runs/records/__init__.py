"""What a run writes of itself: its audit block, and its manifest."""
