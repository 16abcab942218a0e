"""Directives that put foldwise's own tables into the pages, so that no number is typed by hand.

``{behaviour} TEST …``   how tests of two learners behaved in the lab: Type I error, power, replicability, cost
``{basis} TEST``         what a test assumes, where it comes from, and what is wrong with it, if anything
``{sources}``            where the tests were measured
``{coverage}``           the intervals of one error rate
``{estimators}``         the error estimators
``{over-data-sets}``     the procedures for several data sets
``{over-items} TEST …``  tests of marks
``{over-metrics}``       the metrics of predictions
``{grounds} TEST …``     tests of two algorithms on stable and unstable learners, source by source
``{influence} HALF``     the influence-robust test beside others on the sources of one half
``{codes}``              what notes and decisions mean
``.. public:: MODULE``   every public name of a module, with its docstring
``{command-help} NAME``  what ``foldwise NAME --help`` prints

Formulas become MathML, which browsers set themselves: the pages work without a network. Pictures that the code of
a page drew (docs/pictures) stand in the page itself, in its colours, light or dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from inspect import isclass, ismodule, isroutine
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx import addnodes
from sphinx.pycode import ModuleAnalyzer
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

import foldwise
from foldwise.core.decisions import explanations
from foldwise.inference.measured import behaviour, measured_table, metric_behaviour, sources
from foldwise.render.plot import for_a_page


def setup(app: Any) -> dict[str, Any]:
    """Register the directives and the renderer of formulas."""
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.add_post_transform(ForeignTypes)
    app.add_html_math_renderer("mathml", (_inline_math, None), (_block_math, None))
    app.connect("autodoc-process-docstring", _plain_references, priority=400)  # before napoleon
    for priority in (400, 600):  # before napoleon and after it
        app.connect("autodoc-process-docstring", _attribute_as_written, priority=priority)
    app.connect("autodoc-skip-member", _skip_inherited)
    app.connect("source-read", _named_places)
    app.connect("doctree-read", _pictures, priority=400)  # before Sphinx collects what to copy
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}


def _plain_references(_app: Any, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Numbered references as a plain list: many docstrings on one page each have a number 1."""
    lines[:] = [re.sub(r"(\[\d+\])_", r"\1", re.sub(r"^\.\. \[(\d+)\] ", r"\1. ", line)) for line in lines]


_written: dict[str, list[str]] = {}


def _attribute_as_written(_app: Any, what: str, name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Comments on fields are sentences: napoleon would take what stands before a colon for the field's type."""
    if what == "attribute":
        lines[:] = _written.pop(name, None) or _written.setdefault(name, list(lines))


def _skip_inherited(_app: Any, _what: str, name: str, _obj: Any, _skip: bool, _options: Any) -> bool | None:
    """Leave out what scikit-learn adds to every estimator."""
    return True if re.fullmatch(r"set_\w+_request|get_metadata_routing", name) else None


def _named_places(_app: Any, _page: str, source: list[str]) -> None:
    """Anchors that a generated page has as HTML, where other viewers find them, are made known to Sphinx."""
    source[0] = re.sub(r'^<a id="([^"]+)"></a>$', r"(\1)=", source[0], flags=re.MULTILINE)


class ForeignTypes(SphinxPostTransform):
    """Types that no page describes are not looked for in every module, which took a fifth of the time of a build."""

    default_priority = 5  # before references are resolved

    def run(self, **_: Any) -> None:
        known = {name.rpartition(".")[2] for name in self.env.domains.python_domain.objects}
        for found in self.document.findall(addnodes.pending_xref):
            if found.hasattr("refspecific") and found["reftarget"].rpartition(".")[2] not in known:
                del found["refspecific"]


def _pictures(app: Any, doctree: nodes.document) -> None:
    """Put pictures of the pages' code into the page: they take its colours and its letters."""
    for image in list(doctree.findall(nodes.image)):
        path = Path(doctree["source"]).parent / image["uri"]
        if path.parent.name == "pictures":
            app.env.note_dependency(str(path))
            drawn = path.read_text(encoding="utf-8").replace('style="fill: #ffffff"', 'style="fill: none"')  # the paper
            svg = re.sub(r' width="([\d.]+)"', _in_pixels, for_a_page(drawn, image.get("alt", "")), count=1)
            image.replace_self(nodes.raw("", f'<span class="picture">{svg}</span>', format="html"))


def _in_pixels(width: re.Match[str]) -> str:
    """Points, of which an inch has 72, as pixels, of which it has 96."""
    return f' width="{float(width[1]) * 96 / 72:.0f}"'


def grid(head: list[str], rows: list[list[str]], *, words: int = 1, marked: set[int] = frozenset()) -> nodes.table:
    """A table whose first `words` columns hold text; marked rows stand out."""
    body = nodes.tbody()
    for place, cells in enumerate(rows):
        body += _row(cells, words, "exceeds" if place in marked else None)
    group = nodes.tgroup(cols=len(head))
    group.extend(nodes.colspec(colwidth=1) for _ in head)
    top = nodes.thead()
    top += _row(head, words, None)
    group.extend([top, body])
    table = nodes.table(classes=["measured"])
    table += group
    return table


def _row(cells: list[str], words: int, mark: str | None) -> nodes.row:
    row = nodes.row(classes=[mark] if mark else [])
    for place, cell in enumerate(cells):
        entry = nodes.entry(classes=["text-left" if place < words else "text-right"])
        entry += nodes.paragraph(text=cell) if not cell.startswith("`") else _literal(cell.strip("`"))
        row += entry
    return row


def _literal(text: str) -> nodes.paragraph:
    paragraph = nodes.paragraph()
    paragraph += nodes.literal(text=text)
    return paragraph


class Behaviours(SphinxDirective):
    """Type I error, power, replicability and cost of tests of two learners, source by source."""

    required_arguments, optional_arguments = 1, 40

    def run(self) -> list[nodes.Node]:
        rows, marked = [], set()
        for name in self.arguments:
            found = behaviour(name)
            if not found:
                raise self.error(f"nothing was measured for {name!r}")
            for one in found:
                marked |= {len(rows)} if one.exceeds else set()
                first = f"`{name}`" if one is found[0] else ""
                rows.append([first, one.source.short, *_figures(one), f"{one.fits}"])
        head = ["test", "learners", "Type I error", "power", "same verdict again", "fits"]
        caption = nodes.paragraph(classes=["measured-note"])
        stamp = measured_table()["stamp"]
        caption += nodes.Text(
            f"At level {stamp['alpha']:g} on data sets of {stamp['design']['n']} examples, with 95 % Monte-Carlo "
            f"intervals (trials: {stamp['trials']['type1']} for the Type I error, {stamp['trials']['power']} for the "
            f"power, {stamp['trials']['consistent']} × {stamp['design']['repetitions']} partitionings). Marked: the "
            "Type I error exceeds the level beyond the Monte-Carlo error."
        )
        return [grid(head, rows, words=2, marked=marked), caption]


def _figures(one: Any) -> list[str]:
    again = "—" if one.consistent is None else _span(one.consistent, 2)
    return [_span(one.type1, 3), _span(one.power, 2), again]


def _span(share: Any, digits: int) -> str:
    return f"{share.rate:.{digits}f} ({share.low:.{digits}f}–{share.high:.{digits}f})"


class Basis(SphinxDirective):
    """Assumptions, source and warning of a test, from the catalogue."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        from foldwise.designs import find_procedure
        from foldwise.document.references import full_reference

        procedure = find_procedure(self.arguments[0])
        found: list[nodes.Node] = []
        if procedure.warning:
            box = nodes.warning()
            box += nodes.paragraph(text=f"Offered for study: {procedure.warning}.")
            found.append(box)
        found.append(nodes.paragraph(text="It takes for granted:"))
        bullets = nodes.bullet_list()
        for text in procedure.assumptions:
            item = nodes.list_item()
            item += nodes.paragraph(text=f"{text}.")
            bullets += item
        source = nodes.paragraph()
        source += nodes.strong(text="Source: ")
        source += nodes.Text(full_reference(procedure.reference))
        return [*found, bullets, source]


class Sources(SphinxDirective):
    """Where the tests were measured."""

    def run(self) -> list[nodes.Node]:
        rows = [
            [s.short, s.title, f"`{s.null}`", f"`{s.effect}`", f"{100 * abs(s.difference):.1f} points"]
            for s in sources().values()
        ]
        return [grid(["learners", "what", "without a difference", "with one", "difference"], rows, words=4)]


class Coverage(SphinxDirective):
    """How often each interval holds the true error rate, and how wide it is."""

    def run(self) -> list[nodes.Node]:
        rows: dict[str, list[str]] = {}
        rates = []
        for row in measured_table()["intervals"]:
            rates.append(row["rate"])
            rows.setdefault(row["method"], [f"`{row['method']}`"]).append(
                f"{100 * row['coverage']:.1f} % ({100 * row['width']:.1f})"
            )
        head = ["interval", *(f"true rate {rate:g}" for rate in dict.fromkeys(rates))]
        marked = {i for i, method in enumerate(rows) if any(_low(cell) for cell in rows[method][1:])}
        return [grid(head, list(rows.values()), marked=marked)]


def _low(cell: str) -> bool:
    return float(cell.partition(" ")[0]) < 90


class Estimators(SphinxDirective):
    """Bias, spread and root mean squared error of the error estimators."""

    def run(self) -> list[nodes.Node]:
        rows: dict[str, list[str]] = {}
        for row in measured_table()["estimators"]["rows"]:
            cells = rows.setdefault(row["method"], [f"`{row['method']}`"])
            bias = f"{100 * row['bias']:+.1f} ± {200 * row['bias_error']:.1f}".replace("-", "−")
            cells += [bias, f"{100 * row['rmse']:.1f}"]
        names = dict.fromkeys(row["learner"] for row in measured_table()["estimators"]["rows"])
        head = ["estimator", *(f"{what}, {name}" for name in names for what in ("bias", "RMSE"))]
        return [grid(head, list(rows.values()))]


class OverDataSets(SphinxDirective):
    """How often the procedures for several data sets find a difference."""

    def run(self) -> list[nodes.Node]:
        found = measured_table()["many"]["rows"]
        rows = [[f"`{row['test']}`", _stored(row["type1"]), _stored(row["power"])] for row in found]
        marked = {i for i, row in enumerate(found) if row["type1"]["low"] > measured_table()["stamp"]["alpha"]}
        return [grid(["procedure", "finds one where there is none", "finds the one there is"], rows, marked=marked)]


def _stored(row: dict[str, float]) -> str:
    return f"{row['rate']:.3f} ({row['low']:.3f}–{row['high']:.3f})"


class OverItems(SphinxDirective):
    """How tests of marks behaved: Type I error, power, and how often the interval holds the difference."""

    required_arguments, optional_arguments = 1, 9

    def run(self) -> list[nodes.Node]:
        found = [row for row in measured_table()["marks"]["rows"] if row["test"] in self.arguments]
        rows = [
            [row["case"], f"`{row['test']}`", *(_stored(row[key]) for key in ("type1", "power", "coverage_share"))]
            for row in found
        ]
        marked = {i for i, row in enumerate(found) if row["type1"]["low"] > measured_table()["stamp"]["alpha"]}
        return [grid(["marks", "test", "Type I error", "power", "95 % interval holds"], rows, words=2, marked=marked)]


class OverMetrics(SphinxDirective):
    """How the tests and intervals of every metric behaved, in each case."""

    def run(self) -> list[nodes.Node]:
        part = measured_table()["metrics"]
        keys = ("type1", "coverage_share", "margin_share")
        rows = [
            [f"`{r['metric']}`", r["case"], f"`{r['test']}`", *(_stored(r[key]) for key in keys)] for r in part["rows"]
        ]
        found = [one for name in dict.fromkeys(r["metric"] for r in part["rows"]) for one in metric_behaviour(name)]
        marked = {place for place, one in enumerate(found) if one.misses}
        head = ["metric", "items", "test", "Type I error", "95 % interval holds", "non-inferior at the margin"]
        return [grid(head, rows, words=3, marked=marked)]


class Grounds(SphinxDirective):
    """Type I error at three levels, power and trainings of tests of algorithms on every source of the large table."""

    required_arguments, optional_arguments = 1, 9

    def run(self) -> list[nodes.Node]:
        table = measured_table()["algorithms"]
        places = {place["key"]: place for place in table["grounds"]}
        found = [row for key in places for name in self.arguments for row in table["rows"]
                 if (row["ground"], row["test"]) == (key, name)]  # fmt: skip
        rows, last = [], ""
        for row in found:
            place = places[row["ground"]]
            title = f"{place['title']}, {place['n']} examples" if place["key"] != last else ""
            last, levels = place["key"], row["type1"]
            low, high = (f"{levels[key]['rate']:.3f}" if key in levels else "—" for key in ("0.01", "0.1"))
            middle = levels["0.05"]
            rows.append([title, f"`{row['test']}`", low, _stored(middle), high, str(middle["trials"]),
                         _stored(row["power"]), str(row["trainings"])])  # fmt: skip
        marked = {i for i, row in enumerate(found) if row["type1"]["0.05"]["low"] > 0.05}
        head = ["source", "test", "at .01", "Type I error at .05", "at .10", "data sets", "power", "trainings"]
        return [grid(head, rows, words=2, marked=marked)]


class Influence(SphinxDirective):
    """The influence-robust test beside others: "judged on" or "chosen on"."""

    required_arguments, final_argument_whitespace = 1, True

    def run(self) -> list[nodes.Node]:
        found = [row for row in measured_table()["influence"]["rows"] if row["half"] == self.arguments[0]]
        rows = []
        for row in found:
            of = [row.get(test) for test in ("corrected_repeated_cv_t", "influence", "round_robin")]
            rates = ["—" if one is None else f"{one['0.01']['rate']:.3f} {one['0.05']['rate']:.3f}" for one in of]
            power = [row["relative_power"].get(test) for test in ("influence", "round_robin")]
            words = f"{row['title']}, {row['n']} examples"
            rows.append([words, *rates, *("—" if one is None else f"{one:.2f}" for one in power)])
        marked = {i for i, row in enumerate(found) if row["influence"]["0.05"]["low"] > 0.05}
        head = ["source", "corrected", "influence", "round robin", "power, influence", "power, round robin"]
        return [grid(head, rows, words=1, marked=marked)]


class Codes(SphinxDirective):
    """What notes and decisions mean, by their codes."""

    def run(self) -> list[nodes.Node]:
        rows = [[one.code, one.means, one.matters, one.do] for one in explanations().values()]
        return [grid(["code", "means", "matters", "what to do"], rows, words=4)]


class Public(SphinxDirective):
    """Every public name of a module, or those given, or all that other pages of the reference leave."""

    required_arguments, has_content = 1, True
    option_spec: ClassVar = {"leave-out": str.split}

    def run(self) -> list[nodes.Node]:
        (module,) = self.arguments
        found = public_names(Path(self.env.srcdir), module, list(self.content), self.options.get("leave-out", ()))
        objects = {name: getattr(import_module(module), name) for name in found}
        kinds = {name: _kind(thing) for name, thing in objects.items() if not ismodule(thing)}
        order = sorted(kinds, key=lambda name: (KINDS.index(kinds[name]), name.lower()))
        lines = [f".. currentmodule:: {module}", "", ".. autosummary::", "   :nosignatures:", ""]
        lines += [f"   {name}" for name in order if kinds[name] != "py:data"]
        for name in order:
            lines += ["", f".. {kinds[name]}:: {name}"]
            if kinds[name] == "py:data":
                lines += ["", f"   {_comment(module, name)}"]
        return self.parse_text_to_nodes("\n".join(lines) + "\n")


KINDS = ("autofunction", "autoclass", "py:data")


def public_names(docs: Path, module: str, given: list[str], leave_out: Iterable[str] = ()) -> list[str]:
    """The names that a page of the reference has; the front door's own are on its page alone."""
    elsewhere = {"__version__"} | (set() if module == "foldwise" else set(foldwise.__all__))
    for page in leave_out:
        elsewhere |= set((docs / "reference" / f"{page}.rst").read_text(encoding="utf-8").split())
    return [name for name in given or names_of(import_module(module)) if name not in elsewhere]


def names_of(module: Any) -> list[str]:
    """The public names of a module: those it lists, else what it defines without an underscore."""
    listed: list[str] | None = getattr(module, "__all__", None)
    if listed is not None:
        return listed
    own = {name: thing for name, thing in vars(module).items() if not name.startswith("_")}
    return [name for name, thing in own.items() if getattr(thing, "__module__", "") == module.__name__]


def _kind(thing: Any) -> str:
    return "autoclass" if isclass(thing) else "autofunction" if isroutine(thing) else "py:data"


def _comment(module: str, name: str) -> str:
    """The string below a constant in the module that defines it, or its value."""
    assigned = re.compile(rf"^[\w, ]*\b{name}\b", re.MULTILINE)
    for path in sorted(Path(import_module(module).__file__ or "").parent.rglob("*.py")):
        if not assigned.search(path.read_text(encoding="utf-8")):
            continue
        analyzer = ModuleAnalyzer.for_file(str(path), path.stem)
        analyzer.analyze()
        if ("", name) in analyzer.attr_docs:
            return " ".join(analyzer.attr_docs["", name])
    return f"``{getattr(import_module(module), name)!r}``"


class CommandHelp(SphinxDirective):
    """The help text of a command."""

    required_arguments, optional_arguments = 1, 2

    def run(self) -> list[nodes.Node]:
        import click

        from foldwise.cli.main import cli

        command: Any = cli
        context = click.Context(cli, info_name="foldwise", terminal_width=100, max_content_width=100)
        for name in self.arguments:
            command = command.get_command(context, name)
            context = click.Context(command, info_name=name, parent=context, terminal_width=100, max_content_width=100)
        text = command.get_help(context)
        return [nodes.literal_block(text, text, language="text")]


def _inline_math(visitor: Any, node: nodes.math) -> None:
    visitor.body.append(_mathml(node.astext(), block=False))
    raise nodes.SkipNode


def _block_math(visitor: Any, node: nodes.math_block) -> None:
    for part in re.split(r"\n\s*\n", node.astext().strip()):
        visitor.body.append(f'<div class="formula">{_mathml(part, block=True)}</div>\n')
    raise nodes.SkipNode


def _mathml(tex: str, *, block: bool) -> str:
    """MathML; what docutils can't set is an error of the page, so that it is seen."""
    known = tex.replace(r"\dots", r"\ldots").replace(r"\big", "")  # browsers size brackets themselves
    try:
        return str(tex2mathml(known, as_block=block))
    except MathError as error:
        raise ValueError(f"the formula {tex!r} can't be set: {error}") from error


DIRECTIVES = {
    "behaviour": Behaviours,
    "basis": Basis,
    "sources": Sources,
    "coverage": Coverage,
    "estimators": Estimators,
    "over-data-sets": OverDataSets,
    "over-items": OverItems,
    "over-metrics": OverMetrics,
    "grounds": Grounds,
    "influence": Influence,
    "codes": Codes,
    "public": Public,
    "command-help": CommandHelp,
}
