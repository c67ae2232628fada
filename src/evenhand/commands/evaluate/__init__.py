"""`evenhand evaluate`: from the table and the options to the finished evaluation."""
