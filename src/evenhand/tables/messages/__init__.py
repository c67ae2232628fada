"""What messages repeat of what others wrote."""
