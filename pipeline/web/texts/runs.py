"""Texts of the pages about runs."""

PAGE: dict[str, tuple[str, str]] = {
    "no_runs": ("There is no run under outputs/ yet. Make one:", "Er staat nog geen run in outputs/. Maak er een:"),
    "runs_intro": (
        "Runs under outputs/, the latest first. Choose one or two to compare.",
        "Runs in outputs/, de laatste eerst. Kies er een of twee om te vergelijken.",
    ),
    "name": ("Name", "Naam"),
    "game": ("Game", "Spel"),
    "boards": ("Boards", "Borden"),
    "variants": ("Dice or spec", "Stenen of soort"),
    "list": ("Words", "Woorden"),
    "report": ("Report", "Verslag"),
    "open": ("Open", "Open"),
    "no_report": ("not written", "niet gemaakt"),
    "compare": ("Compare", "Vergelijk"),
    "choose": ("Choose", "Kies"),
    "compare_intro": (
        "Each later run or dice set against the first, with 95 % intervals.",
        "Elke volgende run of set stenen tegen de eerste, met intervallen van 95 %.",
    ),
    "first": ("First", "Eerste"),
    "second": ("Second", "Tweede"),
    "back": ("Back to the runs", "Terug naar de runs"),
}

SCRIPT: dict[str, tuple[str, str]] = {}
