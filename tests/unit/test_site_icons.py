"""The few icons that pages use are kept, with their letters in the fonts."""

from rnn_helpers.site.icons import letters, only_designed, only_named

SHEET = (
    '.fa{font:x}.fa-bars:before,.fa-navicon:before{content:"\\f0c9"}'
    '.fa-sun:before{content:"\uf185"}a{--up:"\uf062"}.b:after{content:"\\2041"}'
)


def test_only_the_rules_of_named_icons_are_kept():
    kept = only_named(SHEET, {"fa-navicon"})
    assert kept == SHEET.replace('.fa-sun:before{content:"\uf185"}', "")


def test_letters_are_found_as_themselves_and_escaped():
    assert letters(SHEET) == {0xF0C9, 0xF185, 0xF062}


def test_only_the_rules_for_classes_in_use_are_kept():
    sheet = ":root{--sd-x:1}.sd-card{a:b}.sd-tab,.sd-card{c:d}@media (w){.sd-tab>p{e:f}.x{g:h}}"
    kept = ":root{--sd-x:1}.sd-card{a:b}.sd-tab,.sd-card{c:d}@media (w){.x{g:h}}"
    assert only_designed(sheet, {"sd-card"}) == kept
