"""People: their résumés as text, with what is known of them."""
