"""E-mails for people to label, and how well they agree."""
