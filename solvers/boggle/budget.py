"""How much work a search may do: steps, which are the same on every machine, and a way to end it from outside."""

import numpy as np
import numpy.typing as npt

CHECK = 4096
"""Steps of a kernel from one look at `stopped` to the next, less one as a mask: a power of two."""


class Budget:
    """Steps that several searches share. `stopped`: uint8[1], not 0 once somebody asked them to end.

    A thread whose client is gone is ended by `stop`, from any other thread: kernels look at the flag now and then.
    """

    def __init__(self, steps: int) -> None:
        self.left = steps
        self.stopped: npt.NDArray[np.uint8] = np.zeros(1, np.uint8)

    def spend(self, steps: int) -> None:
        """Take so many steps away; no less than none is left."""
        self.left = max(0, self.left - steps)

    def stop(self) -> None:
        """End every search that uses this budget, as if its steps were used up."""
        self.stopped[0] = 1
        self.left = 0
