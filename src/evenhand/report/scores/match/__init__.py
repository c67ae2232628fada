"""The pages of match scores: of a matcher that was trained, and of what it scored."""
