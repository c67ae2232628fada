"""ResumeScore: the score of a résumé under names that differ only in the group they signal."""
