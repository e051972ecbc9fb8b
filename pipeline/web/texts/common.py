"""Texts of every page."""

PAGE: dict[str, tuple[str, str]] = {
    "skip": ("Skip to content", "Naar de inhoud"),
    "nav": ("Pages", "Pagina’s"),
    "solve": ("Solve", "Oplossen"),
    "kenken": ("KenKen", "KenKen"),
    "runs": ("Runs", "Runs"),
    "api": ("API", "API"),
    "guide": ("Guide", "Handleiding"),
    "guide_language": ("", "De handleiding is er alleen in het Engels."),
    "language_switch": ("Language", "Taal"),
    "seed": ("Seed", "Startgetal"),
    "no_script": ("This page needs JavaScript.", "Deze pagina werkt alleen met JavaScript."),
    "footer": (
        "Runs on this machine alone; nothing is sent elsewhere.",
        "Draait alleen op deze computer; er gaat niets naar buiten.",
    ),
    "copy_link": ("Copy link", "Kopieer link"),
    "undo": ("Undo", "Ongedaan maken"),
}

SCRIPT: dict[str, tuple[str, str]] = {
    "unreachable": ("The server does not answer. Is it still running?", "De server antwoordt niet. Draait hij nog?"),
    "working": ("Searching ...", "Bezig met zoeken ..."),
    "copied": ("Link copied.", "Link gekopieerd."),
    "copy_yourself": (
        "Copy the link from this field (Ctrl+C):",
        "Kopieer de link uit dit veld (Ctrl+C):",
    ),
    "refused": ("The server says: {detail}", "De server meldt (in het Engels): {detail}"),
}
