"""Whose document it is: places that tell a name, and what speaks for one."""
