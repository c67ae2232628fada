"""What is found in scores of the same résumés in several arms: differences, verdicts, decisions and ranks that move."""
