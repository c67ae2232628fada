"""`evenhand monitor golden`: cases that people label, and models held against them."""
