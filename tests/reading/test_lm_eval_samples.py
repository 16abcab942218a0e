"""Samples read many lines at a time: the same as line by line, whatever their layout."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.reading import find_sources, source
from foldwise.reading.lm_eval import read_samples

TEXT = st.text(alphabet='a"\\\n{}é, :', max_size=8)
HASH = st.text(alphabet="0123456789abcdef", min_size=4, max_size=4)
VALUE = st.one_of(st.floats(0, 1), st.integers(-3, 3), st.none(), st.just(float("nan")))
FILTER = st.sampled_from(["none", "strict-match", 'a "quoted" \\ one', ', "filter": "x"'])


@st.composite
def samples(draw):
    """Lines as the harness writes them, with fields of a document that look like those at the end."""
    clustered = draw(st.booleans())
    metrics = draw(st.sampled_from([["acc"], ["acc", "acc_norm"]]))
    lines = []
    for i in range(draw(st.integers(1, 12))):
        doc = {"question": draw(TEXT), "filter": "no", "doc_hash": "no", "metrics": metrics}
        name = draw(FILTER)
        known = any(line["filter"] == name for line in lines)  # what the first document has is offered
        doc |= {"subject": draw(TEXT)} if clustered and not (known and draw(st.booleans())) else {}
        line = {"doc_id": i, "doc": doc, "target": draw(TEXT), "resps": [[draw(TEXT)]]}
        line |= {"filter": name, "metrics": metrics, "doc_hash": draw(HASH)}
        line |= {"prompt_hash": "p", "target_hash": draw(HASH)} | {name: draw(VALUE) for name in metrics}
        lines.append(line)
    return lines


LAYOUTS = (
    lambda line: json.dumps(line, ensure_ascii=False),
    json.dumps,
    lambda line: json.dumps(line, separators=(",", ":")),
    lambda line: json.dumps(dict(reversed(line.items()))),
    lambda line: json.dumps(line) + "\n",  # an empty line behind it
    lambda line: json.dumps(line) + "\r",
)


def plainly(lines):
    """What the lines hold, by metric and filter, without any haste."""
    found = {}
    for line in lines:
        for metric in line["metrics"]:
            value = float("nan") if line[metric] is None else float(line[metric])
            row = (line["doc_hash"], repr(value), line["target_hash"], line["doc"].get("subject", ""))
            name = "" if line["filter"] == "none" else line["filter"]
            found.setdefault((metric, name), []).append(row)
    return {name: sorted(rows) for name, rows in found.items()}


def as_read(place):
    (one,) = find_sources([place])
    columns = read_samples(one).items.columns
    return {
        name: sorted(
            (key.partition("#")[0], repr(value), content, label)
            for key, value, content, label in zip(
                column.keys,
                column.values,
                column.contents,
                column.clusters.get("subject", [""] * len(column.keys)),
                strict=True,
            )
        )
        for name, column in columns.items()
    }


def test_any_layout_is_read_as_it_stands(tmp_path, monkeypatch):
    place = tmp_path / "samples_t.jsonl"

    @given(samples(), st.lists(st.sampled_from(LAYOUTS), min_size=12, max_size=12), st.booleans(), st.booleans())
    def hold(lines, layouts, ended, small):
        monkeypatch.setattr(source, "BLOCK", 64 if small else 1 << 18)
        text = "\n".join(write(line) for write, line in zip(layouts, lines, strict=False))
        place.write_text(text + "\n" * ended, encoding="utf-8", newline="")
        assert as_read(place) == plainly(lines)

    hold()


def line(i, **more):
    return json.dumps(
        {"doc_id": i, "doc": {"q": i}, "filter": "none", "metrics": ["acc"], "doc_hash": f"h{i}", "prompt_hash": "p"}
        | {"target_hash": "t", "acc": 1.0}
        | more
    )


@pytest.mark.parametrize("kept", [3, 11, 20, 60])
def test_a_line_that_was_cut_off_and_written_on_is_named(tmp_path, kept):
    place = tmp_path / "samples_t.jsonl"
    place.write_text("\n".join([line(0), line(1)[:kept] + line(2), line(3)]))
    (one,) = find_sources([place])
    with pytest.raises(InvalidInput, match="line 2 must be whole JSON"):
        read_samples(one)


def test_a_line_that_is_no_sample_is_named(tmp_path):
    place = tmp_path / "samples_t.jsonl"
    place.write_text("\n".join([line(0), "", line(1), '{"doc_id": 2}']))
    (one,) = find_sources([place])
    with pytest.raises(InvalidInput, match="line 4 must have the fields filter and metrics of a sample, got doc_id"):
        read_samples(one)
