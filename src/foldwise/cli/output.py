"""What every command does with its answer: text for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

__all__ = ["Decorator", "alpha_option", "json_option", "rope_option", "show"]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

json_option: Decorator = click.option("--json", "as_json", is_flag=True, help="Print JSON with stable keys.")
alpha_option: Decorator = click.option("--alpha", default=0.05, show_default=True, help="Significance level.")
rope_option: Decorator = click.option(
    "--rope", default=0.01, show_default=True, help="Differences up to this do not matter in practice."
)


def show(result: Any, *, as_json: bool) -> None:
    """Print a result object: its text, or its `to_dict()` as JSON."""
    click.echo(json.dumps(result.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) if as_json else str(result))
