"""Reads a page as a browser would, and complains where it would have to guess."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Markup(HTMLParser):
    """Tags, attributes and text of a page; fails on tags that are not closed in order."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.words, self._open = set(), [], [], []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += [(tag, *attribute) for attribute in attrs]
        if tag not in VOID:
            self._open.append(tag)
        if tag in ("th", "td"):
            self.words.append(" ")

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += [(tag, *attribute) for attribute in attrs]

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if not self._open or self._open[-1] != "style":
            self.words.append(data)

    @property
    def text(self):
        """All text, with runs of white space as one space."""
        return " ".join("".join(self.words).split())

    def values(self, name):
        """Values of an attribute, wherever it occurs."""
        return [value for _, attribute, value in self.attributes if attribute == name]
