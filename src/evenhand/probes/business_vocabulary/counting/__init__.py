"""How terms of the inventories are counted in a document."""
