"""Column schemas of stimuli, answers, outcomes and findings; run folders; fingerprints."""
