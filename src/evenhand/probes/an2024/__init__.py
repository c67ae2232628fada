"""The study of An et al. 2024: hiring e-mails to 300 first names."""
