"""Reads the answers of the page."""

from __future__ import annotations

import re
from html import unescape

from report.markup import VOID, Markup

VOID |= {"path", "use"}


def words(markup):
    """What a person reads of some markup."""
    return unescape(re.sub("</?span[^>]*>", "", markup))


class Reply:
    """An answer: its status, headers, and what is to be read."""

    def __init__(self, response):
        self.status, self.headers, self.content = response.status_code, response.headers, response.content
        self.text = response.text

    @property
    def markup(self):
        """The page as a browser reads it; fails where tags are not closed."""
        return Markup(self.text)

    @property
    def alert(self):
        """The sentence that says what is wrong, or None."""
        found = re.search(r'<div class="alert"[^>]*>(.*?)</div>', self.text, re.DOTALL)
        return None if found is None else words(found[1])

    @property
    def verdict(self):
        """The answer in one sentence, or None."""
        found = re.search(r'<p class="answer">(.*?)</p>', self.text, re.DOTALL)
        return None if found is None else words(found[1])

    @property
    def command(self):
        """The command that gives the same answer."""
        found = re.findall(r"<pre><code>(foldwise .*?)</code></pre>", self.text, re.DOTALL)
        return words(found[-1])

    def facts(self):
        """The rows of the tables of facts, by their label."""
        rows = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td></tr>', self.text)
        return {words(label): words(value) for label, value in rows}

    def roles(self):
        """What each column was taken for."""
        rows = re.findall(r'<th scope="row">(.*?)</th><td class="words"[^>]*>(.*?)</td><td class="words">', self.text)
        return {words(name): role for name, role in rows}

    def chosen(self, field):
        """The value of a select or an input."""
        select = re.search(rf'<select id="f-{field}".*?</select>', self.text, re.DOTALL)
        if select is None:
            found = re.search(rf'<input id="f-{field}"[^>]* value="(.*?)"', self.text)
        else:
            found = re.search(r'<option value="([^"]*)" selected>', select[0])
        return None if found is None else words(found[1])

    def fields(self):
        """The fields of the form with what stands in them, as a browser sends them."""
        names = re.findall(r'<(?:select|input) id="f-([^"]+)" name', self.text)
        return {name: value for name in names if (value := self.chosen(name)) is not None}
