"""`evenhand features`: from the table and the expectations to the finished vetting."""
