"""What the commands of this folder share: running programs in interleaved rounds, ratios, tables and plots; in host/ what a
measurement finds and makes on its host, in yardsticks/ what ours is measured by, in testbed/ what runs in the testbed's machine."""
