"""Finds where a source can be mutated, and how: one small fault each, as text put in place of other text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}
JUNCTIONS = {ast.And: ("and", "or"), ast.Or: ("or", "and")}


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """A fault: in the source of ``path``, the bytes from ``start`` to ``end`` become ``text``."""

    path: str
    start: int
    end: int
    text: str
    kind: str
    line: int

    @property
    def key(self) -> str:
        """Tells this mutant from all others of the same source."""
        return f"{self.path}:{self.line}:{self.start}-{self.end}:{self.kind}"

    def apply(self, source: bytes) -> bytes:
        """Return the source with the fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Return every mutant of a source that can be compiled, in the order of the text."""
    found = sorted(set(_Finder(path, source).all()))
    return [mutant for mutant in found if (text := mutant.apply(source)) != source and _compiles(text)]


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _can_go(node: ast.AST) -> bool:
    """Return whether a statement is one without which the rest still runs: a call or a change in place."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], (ast.Attribute, ast.Subscript))
    return isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    )


class _Finder:
    """Walks the code that runs: no annotation, docstring, decorator, f-string or error that is raised."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self._source = source
        self._line_starts = [0]
        for line in source.splitlines(keepends=True):
            self._line_starts.append(self._line_starts[-1] + len(line))

    def all(self) -> Iterator[Mutant]:
        """Yield the mutants of the whole source."""
        yield from self._within(ast.parse(self._source))

    def _within(self, node: ast.AST) -> Iterator[Mutant]:
        yield from self._of(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(
                    child, (ast.JoinedStr, ast.Raise, ast.Assert)
                ):
                    yield from self._within(child)

    def _of(self, node: ast.AST) -> Iterator[Mutant]:
        if isinstance(node, ast.Compare):
            for operator, (left, right) in zip(
                node.ops, pairwise([node.left, *node.comparators]), strict=True
            ):
                yield from self._operator(COMPARISONS[type(operator)], left, right, "comparison")
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            yield from self._operator(ARITHMETIC[type(node.op)], node.left, node.right, "sign")
        elif isinstance(node, ast.BoolOp):
            for left, right in pairwise(node.values):
                yield from self._operator(JUNCTIONS[type(node.op)], left, right, "junction")
        elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            if not isinstance(node.value, bool):
                yield self._replaced(node, repr(node.value + 1), "constant")
                yield self._replaced(node, repr(node.value - 1), "constant")
        elif isinstance(node, ast.Call):
            yield from self._swapped(node.args)
        else:
            yield from self._of_statement(node)

    def _of_statement(self, node: ast.AST) -> Iterator[Mutant]:
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield self._replaced(node.test, f"not ({self._text(node.test)})", "condition")
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield self._replaced(test, f"(not ({self._text(test)}))", "condition")
        elif isinstance(node, ast.Return) and node.value is not None:
            yield self._replaced(node, "return None", "return")
        elif _can_go(node):
            yield self._replaced(node, "pass", "statement")

    def _operator(
        self, change: tuple[str, str], left: ast.expr, right: ast.expr, kind: str
    ) -> Iterator[Mutant]:
        before, after = change
        start, end = self._span(left)[1], self._span(right)[0]
        between = self._source[start:end].decode()
        if between.count(before) == 1 and "#" not in between:
            yield self._mutant(start, end, between.replace(before, after), kind)

    def _swapped(self, arguments: list[ast.expr]) -> Iterator[Mutant]:
        for first, second in pairwise(arguments):
            if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
                (start, first_end), (second_start, end) = self._span(first), self._span(second)
                between = self._source[first_end:second_start].decode()
                text = self._text(second) + between + self._text(first)
                if self._text(second) != self._text(first):
                    yield self._mutant(start, end, text, "arguments")

    def _replaced(self, node: ast.AST, text: str, kind: str) -> Mutant:
        return self._mutant(*self._span(node), text, kind)

    def _mutant(self, start: int, end: int, text: str, kind: str) -> Mutant:
        return Mutant(self._path, start, end, text, kind, self._source.count(b"\n", 0, start) + 1)

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self._source[start:end].decode()

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """Return the node's bytes, first and end; `ast` counts columns in bytes too."""
        assert isinstance(node, (ast.expr, ast.stmt))
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._line_starts[node.lineno - 1] + node.col_offset
        return start, self._line_starts[node.end_lineno - 1] + node.end_col_offset
