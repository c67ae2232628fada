"""What a run is asked to do: groups of options, and what follows from them."""
