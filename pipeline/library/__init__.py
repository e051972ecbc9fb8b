"""What `import pipeline` offers to a program: boards, runs, puzzles. Its names are listed in `pipeline` itself."""
