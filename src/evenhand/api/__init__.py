"""The Python interface, behind `import evenhand`."""
