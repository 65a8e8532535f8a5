"""What runs inside the testbed's machine, and how it gets there."""
