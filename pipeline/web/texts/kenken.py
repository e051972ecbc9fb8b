"""Texts of the KenKen page."""

PAGE: dict[str, tuple[str, str]] = {
    "generate": ("Make a puzzle", "Maak een puzzel"),
    "size": ("Size", "Grootte"),
    "grade": ("Grade", "Niveau"),
    "any": ("any", "elk"),
    "new_puzzle": ("New puzzle", "Nieuwe puzzel"),
    "same_seed": (
        "A seed makes the same puzzle again. Leave it empty for a new one.",
        "Een startgetal geeft dezelfde puzzel nog eens. Laat het leeg voor een nieuwe.",
    ),
    "solve_pasted": ("Solve a puzzle", "Los een puzzel op"),
    "paste_help": ("Paste a Keen id, a cage map, or JSON.", "Plak een Keen-id, een kooienkaart of JSON."),
    "paste_example": ("Example of a cage map", "Voorbeeld van een kooienkaart"),
    "puzzle_text": ("Puzzle", "Puzzel"),
    "solve_button": ("Solve", "Los op"),
    "show_solution": ("Show the solution", "Toon de oplossing"),
    "keen_text": ("As text (Keen id)", "Als tekst (Keen-id)"),
    "map_text": ("As text (cage map)", "Als tekst (kooienkaart)"),
    "kenken_hint": (
        "Every row and column holds each digit once; the digits of a cage reach its number.",
        "In elke rij en kolom staat elk cijfer één keer; de cijfers van een kooi komen op haar getal uit.",
    ),
}

SCRIPT: dict[str, tuple[str, str]] = {
    "easy": ("easy", "makkelijk"),
    "normal": ("normal", "gewoon"),
    "hard": ("hard", "moeilijk"),
    "extreme": ("extreme", "zeer moeilijk"),
    "unreasonable": ("unreasonable", "onredelijk"),
    "drawing": ("KenKen puzzle of {size} by {size}", "KenKen-puzzel van {size} bij {size}"),
    "drawing_solved": (
        "KenKen puzzle of {size} by {size} with its solution: {digits}",
        "KenKen-puzzel van {size} bij {size} met oplossing: {digits}",
    ),
    "status_unique": (
        "One solution, grade: {grade}. {nodes} nodes, {time}.",
        "Eén oplossing, niveau: {grade}. {nodes} knopen, {time}.",
    ),
    "status_multiple": (
        "More than one solution; the first is shown. {nodes} nodes, {time}.",
        "Meer dan één oplossing; dit is de eerste. {nodes} knopen, {time}.",
    ),
    "status_none": ("No solution. {nodes} nodes, {time}.", "Geen oplossing. {nodes} knopen, {time}."),
}
