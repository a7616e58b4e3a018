"""Put chapter 04's network together: ``python -m rnn_helpers.site.program``.

The program is the chapter's: its cells tagged `program` and its solutions to the exercises named
``ex-04-net-...``, in the order of the page.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

CHAPTER = Path("book/04_bptt.ipynb")
PROGRAM = Path("book/files/rnn.py")
SOLUTION = re.compile(r"\{solution\} ex-04-net-.*?```python\n(.*?)```", re.DOTALL)

HEAD = '''"""A recurrent network that learns to spell, in NumPy: python rnn.py text.txt

Written by the readers of chapter 04 of Unfolded, Back-propagation through time. It is about as long
as Karpathy's min-char-rnn, reads sixteen places of the text at once, and checks its own gradient.
"""

import sys
from pathlib import Path

import numpy as np
'''
MAIN = '''
def check(params, x, y):
    """Largest difference between the gradients and the quotients of a small network."""
    h0 = np.zeros((x.shape[1], len(params["b"])))
    grads = backward(params, x, y, *forward(params, x, h0))

    def loss_with(name, array):
        return loss(forward(params | {name: array}, x, h0)[1], y)

    return max(
        np.abs(quotients(lambda array, name=name: loss_with(name, array), params[name]) - g).max()
        for name, g in grads.items()
    )


if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text("utf-8")
    alphabet = sorted(set(text))
    tokens = np.array([alphabet.index(character) for character in text])
    n, rng = len(alphabet), np.random.default_rng(0)

    small = {name: array.astype(float) for name, array in init(5, 4, rng).items()}
    print(f"gradient check: {check(small, *rng.integers(5, size=(2, 6, 3))):.1e}")

    cut = len(tokens) * 9 // 10
    x, y = rows(tokens[:cut], 16)
    params = train(init(n, 100, rng), x, y, T=25, steps=3000, eta=1.0, longest=1.0)
    read, wanted = rows(tokens[cut:], 1)
    _, yhat = forward(params, read, np.zeros((1, 100), np.float32))
    print(f"{loss(yhat, wanted) / np.log(2):.2f} bits for each character of the last tenth")
    print("".join(alphabet[token] for token in sample(params, tokens[0], rng.random(400))))
'''


def parts(chapter: Path) -> Iterator[str]:
    """Give the program's functions, in the order of the page."""
    for cell in nbformat.read(chapter, as_version=4).cells:
        if "program" in cell.metadata.get("tags", ()):
            yield cell.source
        elif cell.cell_type == "markdown":
            yield from SOLUTION.findall(cell.source)


def assemble(root: Path) -> str:
    """Write the program down.

    Parameters
    ----------
    root : Path
        The repository.
    """
    return "\n\n".join([HEAD, *(part.strip() + "\n" for part in parts(root / CHAPTER)), MAIN[1:]])


if __name__ == "__main__":
    PROGRAM.parent.mkdir(exist_ok=True)
    PROGRAM.write_text(assemble(Path()), "utf-8")
