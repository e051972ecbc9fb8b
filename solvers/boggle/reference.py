"""The specification: a plain recursive search with prefix pruning. Every other solver is tested against it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from solvers.boggle.alphabet import Alphabet
from solvers.grid import neighbour_masks


@dataclass(slots=True)
class TrieNode:
    children: dict[int, "TrieNode"] = field(default_factory=dict)
    word: str | None = None


@dataclass
class Solution:
    """`words`: distinct words; `nodes`: calls of the search; `used`: cells on any path of any word; `ways`: number of
    paths by word and the tiles, symbol ids, that spell it."""

    words: set[str] = field(default_factory=set)
    nodes: int = 0
    used: set[int] = field(default_factory=set)
    ways: Counter[tuple[str, tuple[int, ...]]] = field(default_factory=Counter)


def cuts(word: str, alphabet: Alphabet) -> Iterator[tuple[int, ...]]:
    """Yield every way to write a word as symbols of the alphabet, tiles or not."""
    if not word:
        yield ()
    for length in range(1, min(len(word), alphabet.longest) + 1):
        symbol = alphabet.written_ids.get(word[:length])
        if symbol is not None:
            for rest in cuts(word[length:], alphabet):
                yield (symbol, *rest)


def build_trie(words: Iterable[str], alphabet: Alphabet, min_length: int) -> TrieNode:
    root = TrieNode()
    for word in words:
        if len(word) >= min_length:
            for cut in cuts(word, alphabet):
                node = root
                for symbol in cut:
                    node = node.children.setdefault(symbol, TrieNode())
                node.word = word
    return root


def solve(cells: Sequence[int], rows: int, cols: int, trie: TrieNode) -> Solution:
    """Find every word of the trie on a board of symbol ids."""
    neighbours = [int(mask) for mask in neighbour_masks(rows, cols)]
    solution = Solution()

    def visit(cell: int, parent: TrieNode, path: tuple[int, ...]) -> None:
        solution.nodes += 1
        node = parent.children.get(cells[cell])
        if node is None:
            return
        path = (*path, cell)
        if node.word is not None:
            solution.words.add(node.word)
            solution.used.update(path)
            solution.ways[node.word, tuple(cells[other] for other in path)] += 1
        for other in range(len(cells)):
            if neighbours[cell] >> other & 1 and other not in path:
                visit(other, node, path)

    for cell in range(len(cells)):
        visit(cell, trie, ())
    return solution
