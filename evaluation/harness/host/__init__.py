"""What a measurement finds on its host, or makes there and undoes: cgroups, networks, swap, slow devices, pages."""
