"""A score for a résumé, asked of a language model under names that differ only in the group they signal."""
