"""Compiled searches behind `trace`: find one tracing, count them all, walk a trie of words."""

import numpy as np

from solvers.boggle.budget import CHECK
from solvers.jit import kernel

NONE, FOUND, GAVE_UP = 0, 1, 2
_TABLE = 1 << 20
_MEMO_CELLS, _MEMO_LETTERS = 64, 8
_FLOOD_FROM = 6
"""With fewer letters to go, searching costs less than looking whether it is hopeless."""
_MOST = 1 << 61


@kernel
def mark_places(word, letters, near, places):  # type: ignore[no-untyped-def]
    """Set places[i, cell] where some walk spells the whole word with the cell as letter i."""
    cells = len(letters)
    last = len(word) - 1
    for place in range(last, -1, -1):
        for cell in range(cells):
            if letters[cell] == word[place]:
                fits = place == last
                side = 0
                while not fits and near[cell, side] >= 0:
                    fits = places[place + 1, near[cell, side]] == 1
                    side += 1
                places[place, cell] = fits
    for place in range(1, last + 1):
        for cell in range(cells):
            if places[place, cell] == 1:
                fits = False
                side = 0
                while not fits and near[cell, side] >= 0:
                    fits = places[place - 1, near[cell, side]] == 1
                    side += 1
                places[place, cell] = fits


@kernel
def _slot(mask, cell):  # type: ignore[no-untyped-def]
    mixed = (mask ^ (np.uint64(cell) << np.uint64(58)) ^ np.uint64(cell)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return np.int64(mixed >> np.uint64(44))


@kernel
def _hopeless(cell, left, need, letters, near, visited, colour, four, have, order, scratch):  # type: ignore[no-untyped-def]
    """Cells looked at, negative where `left` more letters cannot follow `cell`.

    Three bounds on the unvisited cells that can be reached: they lack a letter; with four neighbours, they lack cells
    of one colour of the chessboard; no chain of blocks is large enough. (Blocks share one cell with the rest of the
    grid, so a path that leaves one does not come back: R. Tarjan, Depth-first search and linear graph algorithms,
    1972.) Where far more cells than letters are about, the rest is not looked at.

    need: int32[letters], letters to come; order: int32[cells], all 0 before and after; scratch: int32[6, cells].
    """
    low, side, best, calls, blocks, queue = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5]
    for letter in range(len(have)):
        have[letter] = 0
    opposite = 0
    queue[0] = cell
    size = 1
    order[cell] = 1
    low[cell] = 1
    side[cell] = 0
    best[cell] = 0
    calls[0] = cell
    depth = 0
    top = 0
    plenty = 4 * left + 16
    while depth >= 0 and size < plenty:
        here = calls[depth]
        other = near[here, side[here]]
        if other >= 0:
            side[here] += 1
            if order[other] != 0:
                low[here] = min(low[here], order[other])
            elif not visited[other]:
                queue[size] = other
                size += 1
                order[other] = size
                low[other] = size
                side[other] = 0
                best[other] = 0
                have[letters[other]] += 1
                opposite += colour[other] != colour[cell]
                blocks[top] = other
                top += 1
                depth += 1
                calls[depth] = other
            continue
        depth -= 1
        if depth < 0:
            break
        above = calls[depth]
        low[above] = min(low[above], low[here])
        if low[here] >= order[above]:
            in_block = 0
            beyond = 0
            last = -1
            while last != here:
                top -= 1
                last = blocks[top]
                in_block += 1
                beyond = max(beyond, best[last])
            best[above] = max(best[above], in_block + beyond)
    for place in range(size):
        order[queue[place]] = 0
    if size == plenty:
        return size
    lacking = best[cell] < left
    for letter in range(len(have)):
        lacking |= have[letter] < need[letter]
    if four:
        lacking |= opposite < (left + 1) // 2 or size - 1 - opposite < left // 2
    return -size if lacking else size


@kernel
def find_tracing(word, letters, near, places, colour, four, limit, stopped, patience, path):  # type: ignore[no-untyped-def]
    """Fill `path` with one tracing: (FOUND, NONE, or GAVE_UP after `limit` steps or once `stopped`; steps taken).

    The cell with the fewest ways on is tried first (Warnsdorff's rule), with the most where there is room. States that
    failed are remembered where all cells fit one mask. A start cell that takes long waits until the others have been
    tried: `patience` is the number of cells entered from one start in the first round, each further round has eight
    times more.
    """
    one = np.uint64(1)
    cells = len(letters)
    length = len(word)
    remember = cells <= _MEMO_CELLS and length >= _MEMO_LETTERS
    failed_mask = np.zeros(_TABLE if remember else 1, np.uint64)
    failed_cell = np.full(len(failed_mask), -1, np.int16)
    visited = np.zeros(cells, np.bool_)
    order = np.zeros(cells, np.int32)
    scratch = np.zeros((6, cells), np.int32)
    distinct = np.int64(word.max()) + 1
    need = np.zeros(distinct, np.int32)
    have = np.zeros(distinct, np.int32)
    for place in range(length):
        need[word[place]] += 1
    choices = np.empty((length, 8), np.int16)
    left_over = np.zeros(length, np.int64)
    mask = np.uint64(0)
    steps = np.int64(0)
    done = np.zeros(cells, np.bool_)
    roomy = cells > 4 * length
    unfinished = False
    entered = 0
    start = 0
    depth = -1
    cell = np.int64(-1)
    while True:
        if depth < 0:
            while start < cells and (places[0, start] == 0 or done[start]):
                start += 1
            if start == cells:
                if not unfinished:
                    return NONE, steps
                unfinished = False
                patience *= 8
                start = 0
                continue
            cell = np.int64(start)
            start += 1
            entered = 0
        elif left_over[depth] == 0:
            here = path[depth]
            if remember and depth < length - 3:
                slot = _slot(mask, here)
                failed_mask[slot] = mask
                failed_cell[slot] = here
            visited[here] = False
            mask ^= one << np.uint64(here & 63)
            need[word[depth]] += 1
            depth -= 1
            if depth < 0:
                done[here] = True
            continue
        else:
            left_over[depth] -= 1
            cell = np.int64(choices[depth, left_over[depth]])
        steps += 1
        if steps > limit or (steps & (CHECK - 1) == 0 and stopped[0] != 0):
            return GAVE_UP, steps
        entered += 1
        if depth >= 0 and entered > patience:
            unfinished = True
            while depth >= 0:
                visited[path[depth]] = False
                need[word[depth]] += 1
                depth -= 1
            mask = np.uint64(0)
            continue
        depth += 1
        path[depth] = cell
        visited[cell] = True
        mask ^= one << np.uint64(cell & 63)
        need[word[depth]] -= 1
        left_over[depth] = 0
        left = length - 1 - depth
        if left == 0:
            return FOUND, steps
        if remember and left > 2:
            slot = _slot(mask, cell)
            if failed_mask[slot] == mask and failed_cell[slot] == cell:
                continue
        if left >= _FLOOD_FROM and (depth == 0 or steps > 2 * length):
            looked_at = _hopeless(cell, left, need, letters, near, visited, colour, four, have, order, scratch)
            steps += abs(looked_at)
            if looked_at < 0:
                continue
        ways = np.empty(8, np.int64)
        side = 0
        while near[cell, side] >= 0:
            other = near[cell, side]
            side += 1
            if places[depth + 1, other] == 1 and not visited[other]:
                onward = 0
                far = 0
                while left > 1 and near[other, far] >= 0:
                    onward += places[depth + 2, near[other, far]] == 1 and not visited[near[other, far]]
                    far += 1
                if onward == 0 and left > 1:
                    continue
                if roomy:
                    onward = -onward
                at = left_over[depth]
                while at > 0 and ways[at - 1] < onward:
                    ways[at] = ways[at - 1]
                    choices[depth, at] = choices[depth, at - 1]
                    at -= 1
                ways[at] = onward
                choices[depth, at] = other
                left_over[depth] += 1


@kernel
def count_tracings(word, near, places, limit, stopped, listed, enough):  # type: ignore[no-untyped-def]
    """Count all tracings: (status, ways, rows of `listed` filled, steps taken).

    The status is FOUND when all are counted, GAVE_UP after `limit` steps, once `stopped`, above 2^61 ways, or once
    `enough` (if not negative) paths are listed; `ways` is then a lower bound. Numbers of ways on from a state are
    remembered where all cells fit one mask.
    """
    one = np.uint64(1)
    cells = places.shape[1]
    length = len(word)
    remember = cells <= _MEMO_CELLS and length >= _MEMO_LETTERS
    known_mask = np.zeros(_TABLE if remember else 1, np.uint64)
    known_cell = np.full(len(known_mask), -1, np.int16)
    known_ways = np.zeros(len(known_mask), np.int64)
    visited = np.zeros(cells, np.bool_)
    path = np.empty(length, np.int16)
    side = np.zeros(length, np.int64)
    ways = np.zeros(length + 1, np.int64)
    filled = 0
    mask = np.uint64(0)
    steps = np.int64(0)
    start = 0
    depth = -1
    cell = np.int64(-1)
    while True:
        if depth < 0:
            while start < cells and places[0, start] == 0:
                start += 1
            if start == cells:
                return FOUND, ways[0], filled, steps
            cell = np.int64(start)
            start += 1
        else:
            here = path[depth]
            other = near[here, side[depth]]
            if other < 0:
                if remember and depth < length - 3:
                    slot = _slot(mask, here)
                    known_mask[slot] = mask
                    known_cell[slot] = here
                    known_ways[slot] = ways[depth + 1]
                visited[here] = False
                mask ^= one << np.uint64(here & 63)
                ways[depth] += ways[depth + 1]
                depth -= 1
                if ways[depth + 1] > _MOST:
                    steps = limit
                continue
            side[depth] += 1
            if visited[other] or places[depth + 1, other] == 0:
                continue
            cell = np.int64(other)
        steps += 1
        ended = steps & (CHECK - 1) == 0 and stopped[0] != 0
        if steps > limit or ended or (enough >= 0 and filled >= enough):
            total = np.int64(0)
            for level in range(depth + 2):
                total += min(ways[level], _MOST - total)
            return GAVE_UP, total, filled, steps
        depth += 1
        path[depth] = cell
        if depth == length - 1:
            if filled < len(listed):
                listed[filled] = path
                filled += 1
            ways[depth] += 1
            depth -= 1
            continue
        if depth == length - 2 and filled == len(listed):
            far = 0
            while near[cell, far] >= 0:
                last = near[cell, far]
                ways[depth] += places[depth + 1, last] == 1 and not visited[last]
                far += 1
            depth -= 1
            continue
        visited[cell] = True
        mask ^= one << np.uint64(cell & 63)
        side[depth] = 0
        ways[depth + 1] = 0
        if remember and depth < length - 3 and filled == len(listed):
            slot = _slot(mask, cell)
            if known_mask[slot] == mask and known_cell[slot] == cell:
                ways[depth] += known_ways[slot]
                visited[cell] = False
                mask ^= one << np.uint64(cell & 63)
                depth -= 1


@kernel
def walk_trie(  # type: ignore[no-untyped-def]
    letters, near, symbol, word_at, first_child, next_child, parent, limit, stopped, longest, seen
):
    """Set seen[word] for every word of the trie on the grid: (whether the search was finished, steps taken).

    It is not after `limit` steps, or once `stopped`.

    symbol, word_at, first_child, next_child, parent: int32[nodes]; -1 is none, node 0 the root. A node whose words
    are all seen is not entered again.
    """
    open_words = np.zeros(len(symbol), np.int32)
    for node in range(len(symbol) - 1, -1, -1):
        open_words[node] += word_at[node] >= 0
        if node > 0:
            open_words[parent[node]] += open_words[node]
    visited = np.zeros(len(letters), np.bool_)
    cell_stack = np.empty(longest + 1, np.int16)
    node_stack = np.empty(longest + 1, np.int32)
    side = np.zeros(longest + 1, np.int64)
    steps = np.int64(0)
    for start in range(len(letters)):
        depth = -1
        cell = np.int64(start)
        node = np.int64(0)
        while True:
            child = first_child[node]
            while child >= 0 and symbol[child] != letters[cell]:
                child = next_child[child]
            steps += 1
            if steps > limit or (steps & (CHECK - 1) == 0 and stopped[0] != 0):
                return False, steps
            if child >= 0 and open_words[child] > 0:
                word = word_at[child]
                if word >= 0 and not seen[word]:
                    seen[word] = True
                    above = np.int64(child)
                    while above >= 0:
                        open_words[above] -= 1
                        above = np.int64(parent[above])
                depth += 1
                cell_stack[depth] = cell
                node_stack[depth] = child
                side[depth] = 0
                visited[cell] = True
            step = False
            while depth >= 0 and not step:
                here = cell_stack[depth]
                other = near[here, side[depth]]
                if other < 0 or open_words[node_stack[depth]] == 0:
                    visited[here] = False
                    depth -= 1
                    continue
                side[depth] += 1
                if not visited[other]:
                    cell = np.int64(other)
                    node = np.int64(node_stack[depth])
                    step = True
            if not step:
                break
    return True, steps
