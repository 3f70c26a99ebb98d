"""The read side's own words: what happened as anybody may know it, results of questions, and their errors."""
