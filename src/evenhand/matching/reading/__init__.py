"""What a masked résumé, or a position, says: its words, skills, years of work, education and seniority."""
