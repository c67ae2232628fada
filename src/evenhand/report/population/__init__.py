"""The chapters that compare every group with all, as An et al. 2024 do."""
