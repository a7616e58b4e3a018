"""Pictures of the site are made small, and look as they were drawn."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from press.renderers import coarse_edges


def drawn(opacity):
    pixels = np.zeros((10, 100, 4), np.uint8)
    pixels[...] = 10, 200, 30, 255
    pixels.reshape(-1, 4)[: len(opacity), 3] = opacity
    return Image.fromarray(pixels)


@given(st.lists(st.integers(0, 255), min_size=1, max_size=200))
def test_edges_get_eight_levels_of_opacity_near_their_own(opacity):
    image = drawn(opacity)
    before, after = np.asarray(image), np.asarray(coarse_edges(image))
    np.testing.assert_array_equal(after[..., :3], before[..., :3])
    np.testing.assert_array_equal(np.asarray(image), before)
    near = np.abs(after[..., 3].astype(int) - before[..., 3])
    assert near.max() <= 19
    ends = np.isin(before[..., 3], [0, 255])
    assert not near[ends].any()
    levels, counts = np.unique(after[..., 3], return_counts=True)
    assert len(levels[counts < 20]) <= 8


@given(st.integers(0, 255))
def test_a_filled_area_keeps_its_opacity(opacity):
    image = drawn([opacity] * 20)
    assert coarse_edges(image).tobytes() == image.tobytes()
