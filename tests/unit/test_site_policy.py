"""A page allows its own inline code, and no other."""

import base64
import hashlib

from rnn_helpers.site.policy import content_security_policy, finish_page

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


def test_nothing_may_come_from_elsewhere():
    policy = content_security_policy(PAGE)
    assert "default-src 'self'" in policy
    assert "http" not in policy
    assert "unsafe-eval" not in policy


def test_the_policy_is_the_first_thing_a_page_says():
    finished = finish_page(PAGE)
    head = finished.split("<head>")[1].lstrip()
    assert head.startswith('<meta http-equiv="Content-Security-Policy"')


def test_landmarks_get_names():
    assert 'id="pst-primary-sidebar" role="navigation" aria-label="Site"' in finish_page(PAGE)


def test_a_finished_page_stays_as_it_is():
    finished = finish_page(PAGE)
    assert finish_page(finished) == finished
