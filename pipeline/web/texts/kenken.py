"""Texts of the KenKen page."""

PAGE: dict[str, tuple[str, str]] = {
    "kenken_hint": (
        "Every row and column holds each digit once; the digits of a cage reach its number.",
        "In elke rij en elke kolom staat ieder cijfer één keer; met de cijfers van een blok kom je op het getal uit.",
    ),
    "generate": ("Make a puzzle", "Maak een puzzel"),
    "size": ("Size", "Grootte"),
    "grade": ("Grade", "Niveau"),
    "any": ("any", "maakt niet uit"),
    "operators": ("Operators", "Bewerkingen"),
    "hide_operators": ("hide them", "verberg ze"),
    "new_puzzle": ("New puzzle", "Nieuwe puzzel"),
    "same_seed": (
        "A seed makes the same puzzle again. Leave it empty for a new one.",
        "Met hetzelfde startgetal krijg je dezelfde puzzel. Laat het leeg voor een nieuwe.",
    ),
    "solve_pasted": ("Bring a puzzle", "Een eigen puzzel"),
    "paste_help": ("Paste a Keen id, a cage map, or JSON.", "Plak een Keen-id, een blokkenkaart of JSON."),
    "paste_example": ("Example of a cage map", "Voorbeeld van een blokkenkaart"),
    "use_example": ("Use this example", "Gebruik dit voorbeeld"),
    "puzzle_text": ("Puzzle", "Puzzel"),
    "solve_button": ("Solve", "Los op"),
    "play_button": ("Play", "Speel"),
    "show_solution": ("Show the solution", "Toon de oplossing"),
    "keen_text": ("As text (Keen id)", "Als tekst (Keen-id)"),
    "map_text": ("As text (cage map)", "Als tekst (blokkenkaart)"),
    "as_texts": ("The puzzle as text", "De puzzel als tekst"),
    "notes": ("Notes", "Notities"),
    "erase": ("Erase", "Wis"),
    "redo": ("Redo", "Opnieuw"),
    "check_digits": ("Check", "Controleer"),
    "hint": ("Hint", "Hint"),
    "restart": ("Start again", "Begin opnieuw"),
    "print": ("Print", "Afdrukken"),
    "digits": ("Digits", "Cijfers"),
    "time_spent": ("Time", "Tijd"),
    "keys_help": (
        "Arrow keys move, digits fill in, Shift and a digit (or N for notes) makes a note, Backspace erases, Ctrl+Z "
        "undoes, H gives a hint. What you fill in is kept in this browser.",
        "Verplaats je met de pijltjestoetsen en typ cijfers. Met Shift en een cijfer (of na N) maak je een notitie, "
        "Backspace wist, Ctrl+Z maakt ongedaan en H geeft een hint. Wat je invult, blijft in deze browser bewaard.",
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
        "KenKen-puzzel van {size} bij {size} met de oplossing: {digits}",
    ),
    "status_unique": (
        "One solution, grade: {grade}. {nodes:node|nodes}, {time}.",
        "Eén oplossing, niveau: {grade}. {nodes:zoekstap|zoekstappen}, {time}.",
    ),
    "status_multiple": (
        "More than one solution; the first can be shown. {nodes:node|nodes}, {time}.",
        "Meer dan één oplossing; de eerste is te tonen. {nodes:zoekstap|zoekstappen}, {time}.",
    ),
    "status_none": (
        "No solution. {nodes:node|nodes}, {time}.",
        "Geen oplossing. {nodes:zoekstap|zoekstappen}, {time}.",
    ),
    "place": ("Row {row}, column {column}", "Rij {row}, kolom {column}"),
    "cage": ("cage {clue} of {cells:cell|cells}", "blok {clue} van {cells:vakje|vakjes}"),
    "given": ("given", "gegeven"),
    "empty_cell": ("empty", "leeg"),
    "notes_said": ("notes {digits}", "notities {digits}"),
    "is_wrong": ("does not fit", "past niet"),
    "choose_operators": ("Choose at least one operator.", "Kies minstens één bewerking."),
    "hint_wrong": (
        "Row {row}, column {column}: {digit} is not right.",
        "Rij {row}, kolom {column}: {digit} is niet goed.",
    ),
    "hint_contradiction": (
        "What is filled in leaves no solution: something is wrong.",
        "Met wat er staat is er geen oplossing meer: er klopt iets niet.",
    ),
    "hint_cell": (
        "Row {row}, column {column} is {digit}: no other digit fits there.",
        "Rij {row}, kolom {column} is {digit}: geen ander cijfer past daar.",
    ),
    "hint_row": (
        "Row {row}, column {column} is {digit}: the row has no other place for it.",
        "Rij {row}, kolom {column} is {digit}: het kan nergens anders in de rij.",
    ),
    "hint_column": (
        "Row {row}, column {column} is {digit}: the column has no other place for it.",
        "Rij {row}, kolom {column} is {digit}: het kan nergens anders in de kolom.",
    ),
    "hint_search": (
        "No simple rule goes on from here. Row {row}, column {column} is {digit}.",
        "Met een eenvoudige regel kom je hier niet verder. Rij {row}, kolom {column} is {digit}.",
    ),
    "hint_stuck": (
        "No simple rule goes on from here, and there is more than one solution.",
        "Met een eenvoudige regel kom je hier niet verder, en er is meer dan één oplossing.",
    ),
    "hint_solved": ("Every cell is right.", "Alles klopt."),
    "fill_in": ("Fill it in", "Vul in"),
    "all_right": ("All right so far, {left:cell|cells} to go.", "Tot nu toe klopt alles, nog {left:vakje|vakjes}."),
    "some_wrong": (
        "{wrong:digit does|digits do} not fit, they are marked.",
        "{wrong:cijfer past|cijfers passen} niet; ze zijn gemarkeerd.",
    ),
    "solved_in": ("Solved in {time}.", "Opgelost in {time}."),
    "solved_hints": (
        "Solved in {time}, with {hints:hint|hints}.",
        "Opgelost in {time}, met {hints:hint|hints}.",
    ),
    "continued": ("You go on where you were.", "Je gaat verder waar je gebleven was."),
}
