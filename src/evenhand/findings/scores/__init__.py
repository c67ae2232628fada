"""What is found in scores: differences of means, within the same prompt, and what they are held against."""
