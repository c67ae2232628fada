"""`evenhand impact`: from the table and the options to the finished analysis."""
