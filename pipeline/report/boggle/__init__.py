"""What a report says of letter dice alone: words, boards, effects, and their charts."""
