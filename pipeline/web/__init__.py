"""The page and the JSON API: a small server for one machine, closed to everything outside unless told otherwise."""
