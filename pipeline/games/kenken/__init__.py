"""KenKen: specs, generated and solved puzzles."""
