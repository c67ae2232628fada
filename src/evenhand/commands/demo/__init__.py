"""`evenhand demo`: a synthetic company, whose truth is known, through every stage of an audit."""
