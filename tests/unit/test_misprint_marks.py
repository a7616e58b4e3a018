"""What a mark on a page says of its misprint is read from the list as it is now."""

import os

import pytest
import yaml

from rnn_helpers.site.directives import read_marks

ENTRY = "- slug: one\n  mark: {mark}\n"


def test_a_list_that_has_changed_is_read_again(tmp_path):
    path = tmp_path / "misprints.yml"
    for time, mark in enumerate(["a", "b"]):
        path.write_text(ENTRY.format(mark=mark), "utf-8")
        os.utime(path, (time, time))
        assert read_marks(tmp_path) == {"one": mark}
    assert read_marks(tmp_path / "elsewhere") == {}


def test_a_mistake_in_the_list_is_told_with_its_name(tmp_path):
    (tmp_path / "misprints.yml").write_text("- slug: [", "utf-8")
    with pytest.raises(yaml.YAMLError, match=r"misprints\.yml"):
        read_marks(tmp_path)
