"""Groups' rates against everybody's, as An et al. 2024 compare them."""
