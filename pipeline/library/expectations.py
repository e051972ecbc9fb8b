"""Exact means as plain calls."""

from pipeline.defaults import DEFAULTS
from pipeline.games.boggle import words as lists
from pipeline.games.boggle.dice import DiceSet
from pipeline.games.boggle.expectations import Expectations, expectations
from pipeline.library.inputs import as_pipeline_error, dice_set


@as_pipeline_error
def expect(
    dice: "str | DiceSet" = "new",
    words: str = DEFAULTS["words"],
    *,
    language: str | None = None,
    min_length: int | None = None,
) -> Expectations:
    """Return the exact means of the boards of a dice set under a word list: no simulation, no interval.

    dice: id or file of a set, or one from load_dice. words: id or file of a list. The answer holds the mean number of
    ways to spell words, by letters; of pairs of ways of short words; of nodes of the search; of cells that show each
    face. It is worked out once, in a second or more, and kept in the user's cache.

    Raises PipelineError for dice or a list that cannot be read, dice without a closed form, and a list without a
    usable word.
    """
    one = dice_set(dice)
    source = lists.find_words(words, language, None, one.rules)
    least = one.min_length if min_length is None else min_length
    return expectations(one, lists.load_words(source), least, source.id)
