"""HiringBloomberg: whom of eight candidates does a model rank first? The card is README.md."""
