"""What `evenhand monitor` and its golden sets are asked."""
