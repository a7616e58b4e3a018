"""A page allows its own inline code, and no other."""

import base64
import hashlib

from press.policy import content_security_policy, finish_page

PAGE = """<!doctype html><html><head><script src="own.js"></script>
<script>let answer = '&amp;';</script><script type="application/json">{"a": 1}</script></head>
<body><div id="pst-primary-sidebar" class="x"></div>
<button onclick="run(&quot;now&quot;)">go</button></body></html>"""


def allowed(code):
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def test_inline_scripts_and_handlers_are_allowed_as_the_browser_reads_them():
    policy = content_security_policy(PAGE)
    assert allowed("let answer = '&amp;';") in policy
    assert allowed('run("now")') in policy
    assert policy.count("sha256-") == 2


def test_no_resource_may_come_from_another_site():
    """Return every source that a page may use, except its inline code."""
    directives = [each.split() for each in content_security_policy(PAGE).split(";")]
    sources = {
        name: {source for source in given if not source.startswith("'sha256-")}
        for name, *given in directives
    }
    assert len(sources) == len(directives)
    assert sources == {
        "default-src": {"'self'"},
        "script-src": {"'self'", "'unsafe-hashes'"},
        "style-src": {"'self'", "'unsafe-inline'"},
        "img-src": {"'self'", "data:", "blob:"},
        "font-src": {"'self'", "data:"},
        "object-src": {"'none'"},
        "base-uri": {"'self'"},
        "form-action": {"'self'"},
    }


def test_the_policy_comes_first_in_a_page():
    finished = finish_page(PAGE)
    head = finished.split("<head>")[1].lstrip()
    assert head.startswith('<meta http-equiv="Content-Security-Policy"')


def test_landmarks_get_names():
    assert 'id="pst-primary-sidebar" role="navigation" aria-label="Site"' in finish_page(PAGE)


def test_a_page_is_dark_from_the_start_where_the_screen_is():
    said = finish_page('<script>x = localStorage.getItem("theme") || "auto";</script>')
    assert 'matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"' in said


def test_icons_are_silent():
    assert '<i aria-hidden="true" class="fa-solid fa-bars">' in finish_page(
        '<head></head><i class="fa-solid fa-bars"></i>'
    )


def test_only_the_page_of_results_loads_the_index_and_none_loads_every_icon():
    names = ("searchindex", "_static/searchtools", "_static/language_data")
    index = "".join(f'<script src="../{name}.js?v=1"></script>' for name in names)
    page = f'<head><script defer src="scripts/fontawesome.js?digest=5"></script>{index}</head>'
    assert "<script" not in finish_page(page)
    assert index in finish_page(f'{page}<div id="search-results"></div>')


def test_only_a_page_with_tabs_loads_their_script():
    page = '<head><script src="../_static/design-tabs.js?v=1"></script></head>'
    assert "<script" not in finish_page(page)
    assert "design-tabs.js" in finish_page(f'{page}<div class="sd-tab-set"></div>')


def test_only_a_page_with_folded_notes_loads_the_unfolding_script():
    page = (
        '<head><link href="togglebutton.css" />\n<script>let toggleHintShow = "Show";</script>'
        '<script src="../_static/togglebutton.js?v=1"></script></head>'
    )
    assert "toggle" not in finish_page(page)
    folded = finish_page(f'{page}<div class="solution dropdown admonition"></div>')
    assert folded.count("toggle") == 3


def test_a_finished_page_stays_as_it_is():
    finished = finish_page(PAGE)
    assert finish_page(finished) == finished


def test_a_page_loses_invisible_text_and_keeps_its_code():
    code = "<pre>\n  if a:\n\n      b\n</pre>"
    space = ' xmlns="http://www.w3.org/1998/Math/MathML"'
    tex = ' encoding="application/x-tex"'
    formula = f"<math{space}><mi>x</mi><annotation{tex}>x</annotation></math>"
    finished = finish_page(
        f"<head></head>\n<!-- a\nb -->\n   <p>one\n   two</p>   \n{code}\n   {formula}"
    )
    assert code.removeprefix("<pre>") in finished
    assert "<p>one\ntwo</p>\n" in finished
    assert "<math><mi>x</mi><annotation>x</annotation></math>" in finished
    assert "<!--" not in finished


def test_code_and_its_output_are_neither_translated_nor_mirrored():
    finished = finish_page(
        "<head></head><pre>1 - 2</pre><code class='x'>a</code><precise></precise>"
    )
    assert '<pre dir="ltr" translate="no">1 - 2' in finished
    assert '<code dir="ltr" translate="no" class=' in finished
    assert "<precise>" in finished


def test_dark_reader_is_switched_off():
    assert '<meta name="darkreader-lock">' in finish_page("<head></head>")


def test_a_number_below_zero_keeps_its_sign_before_it():
    kept = '<span dir="ltr" translate="no">\u22121.46</span>'
    page = "<head><title>\u22121</title></head><body><p>from \u22121.46, 2\u22123 to 4-5</p>"
    svg = '<svg><text>\u22121</text></svg><p alt="\u22121">x</p></body>'
    finished = finish_page(page + svg)
    assert f"from {kept}, 2\u22123 to 4-5" in finished
    assert "<title>\u22121</title>" in finished
    assert svg in finished
