"""What the commands of this folder share: running programs in interleaved rounds, ratios, tables and plots."""
