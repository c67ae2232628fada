"""Match scores of people and positions: features of masked text, a model that can be read, explanations, rankings."""
