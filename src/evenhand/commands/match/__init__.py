"""`evenhand match`: a matcher trained, scores, explanations, recommendations."""
