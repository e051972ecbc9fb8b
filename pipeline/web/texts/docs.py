"""Texts of the page about the API."""

PAGE: dict[str, tuple[str, str]] = {
    "docs_title": ("API", "API"),
    "docs_intro": (
        "JSON over HTTP. Paths without v1 are aliases of the current version. Machine-readable:",
        "JSON over HTTP. Paden zonder v1 zijn andere namen voor de huidige versie. Voor programma's:",
    ),
    "field": ("Field", "Veld"),
    "type": ("Type", "Soort"),
    "default": ("Default", "Standaard"),
    "meaning": ("Meaning", "Betekenis"),
    "required": ("required", "verplicht"),
    "answers": ("Answers", "Antwoorden"),
    "request": ("Request", "Vraag"),
    "tag_boards": ("Letter-dice boards", "Letterborden"),
    "tag_kenken": ("KenKen puzzles", "KenKen-puzzels"),
    "tag_runs": ("Runs", "Runs"),
    "tag_server": ("The server", "De server"),
    "example": ("Example of an answer", "Voorbeeld van een antwoord"),
    "try": ("Try it", "Probeer"),
    "body": ("Body", "Inhoud"),
    "problems": ("Refusals", "Weigeringen"),
    "problem_invalid": (
        "The request holds something that cannot be used; errors name the field. Mend it and ask again.",
        "Iets in de vraag is niet te gebruiken; errors noemt het veld. Verbeter het en vraag opnieuw.",
    ),
    "problem_limit": (
        "The work would pass a limit of one request. Ask for less, or use the command line, which has no such limit.",
        "Dit werk is te groot voor één verzoek. Vraag minder, of gebruik de opdrachtregel: die kent deze grens niet.",
    ),
    "problem_busy": (
        "Too many requests at once, or a solver is being compiled. Ask again shortly.",
        "Te veel vragen tegelijk, of er wordt nog een oplosser vertaald. Vraag zo dadelijk opnieuw.",
    ),
}

SCRIPT: dict[str, tuple[str, str]] = {
    "answered": ("{status}, {bytes} bytes in {time}", "{status}, {bytes} bytes in {time}"),
    "cut": ("The first {count} characters:", "De eerste {count} tekens:"),
}
