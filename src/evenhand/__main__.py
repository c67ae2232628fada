"""`python -m evenhand` and the command `evenhand`."""

from evenhand.cli import main

if __name__ == "__main__":
    main()
