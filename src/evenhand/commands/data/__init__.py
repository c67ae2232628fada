"""The commands of `evenhand data`."""
