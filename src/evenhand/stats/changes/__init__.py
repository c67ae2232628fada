"""Changes of a daily value: CUSUM, its standardisation, slopes."""
