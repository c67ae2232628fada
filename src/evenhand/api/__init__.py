"""What `import evenhand` offers."""
