"""Style sheets keep the rules that pages use, and fonts the icons that are still shown."""

import pytest

from press.icons import letters, only_used

SHEET = (
    '.fa{font:x}.fa-bars:before,.fa-navicon:before{content:"\\f0c9"}'
    '.fa-sun:before{content:"\uf185"}a{--up:"\uf062"}.b:after{content:"\\2041"}'
)


def test_letters_are_found_as_themselves_and_escaped():
    assert letters(SHEET) == {0xF0C9, 0xF185, 0xF062}


def test_unused_icons_are_omitted():
    kept = SHEET.replace(".fa-bars:before,", "").replace('.fa-sun:before{content:"\uf185"}', "")
    assert only_used(SHEET, {"fa", "fa-navicon", "b"}) == kept


@pytest.mark.parametrize(
    ("sheet", "kept"),
    [
        (":root{--x:1}p{a:b}", ":root{--x:1}p{a:b}"),
        (".used{a:b}.gone,.used{c:d}", ".used{a:b}.used{c:d}"),
        (".used .gone{a:b}.used.gone>p{c:d}", ""),
        ("p:not(.gone){a:b}:is(.gone,.used) p{c:d}", "p:not(.gone){a:b}:is(.gone,.used) p{c:d}"),
        (
            "p:is(:not(.gone,a:not(.used)),b),.gone{a:b}",
            "p:is(:not(.gone,a:not(.used)),b),.gone{a:b}",
        ),
        ('[href$=".gone"],.gone[a="x,y"]{a:b}', '[href$=".gone"]{a:b}'),
        (".bs-tooltip-auto{a:b}", ".bs-tooltip-auto{a:b}"),
        ("@media (w){.gone>p{a:b}.used{c:d}}", "@media (w){.used{c:d}}"),
        ("@media (w){.gone{a:b}}@media print{.gone{a:b}}p{a:.5em}", "p{a:.5em}"),
        ("@keyframes turn{0.5%{a:b}to{a:c}}", "@keyframes turn{0.5%{a:b}to{a:c}}"),
        ("/*! see a.gone, {b} */.used{a:b}", "/*! see a.gone, {b} */.used{a:b}"),
        ('@import "a.gone";.used{a:b}', '@import "a.gone";.used{a:b}'),
    ],
)
def test_only_rules_for_classes_in_use_are_kept(sheet, kept):
    assert only_used(sheet, {"used"}) == kept
