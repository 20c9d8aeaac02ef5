"""Rows of a benchmark, as a table in Markdown for people or as JSON for programs."""

import json
import statistics


def median(values):
    return statistics.median(values)


def spread(values, form="{:.2f}"):
    """Median and, of several values, the least and the greatest."""
    if len(values) == 1:
        return form.format(values[0])
    return f"{form.format(median(values))} ({form.format(min(values))} to {form.format(max(values))})"


def show(title, rows, as_json=False):
    """rows: dictionaries with the same keys."""
    if as_json:
        print(json.dumps({"title": title, "rows": rows}, ensure_ascii=False))
        return
    print(f"\n{title}\n")
    print("| " + " | ".join(rows[0]) + " |")
    print("|" + "---|" * len(rows[0]))
    for row in rows:
        print("| " + " | ".join(str(value) for value in row.values()) + " |")
