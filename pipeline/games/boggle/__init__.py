"""Letter dice: sets, word lists, shakes, solved boards."""
