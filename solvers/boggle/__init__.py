"""Letter boards: `solve.solve` many boards, `trace.trace` a word, `paths.count_paths` by brute force or frontier."""
