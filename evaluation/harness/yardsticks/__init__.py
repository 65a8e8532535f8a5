"""What ours is measured by: other systems, their files, and what devices and links carry without us."""
