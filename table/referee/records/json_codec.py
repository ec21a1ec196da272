"""A codec between JSON and dataclasses, unions, tuples, mappings and sets, driven by their type hints.

What a value is follows from the type that is expected where it stands; so the same types that the referee works with
define its file, and a new field or a new kind of observation needs no code here. Fields that hold their default are
left out, and fields that other versions had are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from table.cards import Card, Contract, UnseenCard, bid_to_json, card, parse_call
from table.phrase import Phrase

CLASS_KEY = "is"
"""The key of the class name where one of several classes is expected."""
TUPLE_KEY = "()"
"""The only key of an object that stands for a tuple where any value may stand."""
PHRASE_KEY = "phrase"
"""The first of the two keys of an object that stands for a phrase where any value may stand."""


class _Form(NamedTuple):
    """The two directions of one type."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def to_plain(value: Any, kind: Any) -> Any:
    """Convert ``value`` of type ``kind`` to plain JSON data; ``TypeError`` where that type has no JSON form."""
    return _form(kind).write(value)


def from_plain(data: Any, kind: Any) -> Any:
    """Convert plain JSON data from :func:`to_plain` back to type ``kind``; ``ValueError`` where the data do not fit."""
    try:
        return _form(kind).read(data)
    except (TypeError, KeyError, AttributeError, IndexError) as error:
        raise ValueError(f"expected {getattr(kind, '__name__', kind)} ({error})") from None


@cache
def _form(kind: Any) -> _Form:
    """Return the form of a type; built once for each."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return _Form(_write_any, _read_any)
    if kind is Card:
        return _Form(str, card)
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return _form_of_class(kind)
    if origin in (Union, UnionType):
        return _form_of_union(arguments)
    if origin is tuple:
        return _form_of_tuple(arguments)
    if origin is frozenset:
        each = _form(arguments[0])
        return _Form(lambda held: sorted(map(each.write, held)), lambda data: frozenset(map(each.read, data)))
    if origin is Mapping:
        return _form_of_mapping(*map(_form, arguments))
    return _form_of_scalar(kind)


def _form_of_scalar(kind: Any) -> _Form:
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    if not choices and kind not in (int, float, str, bool):
        raise TypeError(f"{kind} can't be kept")

    def read(data: Any) -> Any:
        if kind is float and type(data) is int:
            return float(data)
        if data not in choices if choices else type(data) is not kind:
            raise ValueError(f"expected {kind}, not {str(data)[:20]}")
        return data

    return _Form((lambda held: held) if choices else kind, read)  # (numbers from tracking may be NumPy's)


def _form_of_class(kind: Any) -> _Form:
    """Return the form of a dataclass or a named tuple."""
    forms = {name: _form(hint) for name, hint in get_type_hints(kind).items()}
    if is_dataclass(kind):
        defaults = {
            field.name: field.default_factory() if field.default_factory is not MISSING else field.default
            for field in fields(kind)
        }
    else:
        defaults = dict.fromkeys(forms, MISSING) | kind._field_defaults

    def write(value: Any) -> dict[str, Any]:
        held = {name: getattr(value, name) for name in forms}
        return {name: forms[name].write(item) for name, item in held.items() if item != defaults[name]}

    def read(data: dict[str, Any]) -> Any:
        return kind(**{name: forms[name].read(item) for name, item in data.items() if name in forms})

    return _Form(write, read)


def _form_of_union(kinds: tuple[Any, ...]) -> _Form:
    """Return the form of a bid or call, a played card, one of several classes, or one type; each may also be None."""
    others = [kind for kind in kinds if kind is not NoneType]
    if Contract in kinds:
        form = _Form(bid_to_json, parse_call)  # as the journal has it
    elif UnseenCard in kinds:
        form = _form_of_played_card(_form(UnseenCard))
    else:
        form = _form(others[0]) if len(others) == 1 else _form_of_classes(others)
    if len(others) == len(kinds):
        return form
    return _Form(
        lambda value: None if value is None else form.write(value),
        lambda data: None if data is None else form.read(data),
    )


def _form_of_classes(kinds: list[Any]) -> _Form:
    forms = {kind.__name__: _form(kind) for kind in kinds}

    def write(value: Any) -> dict[str, Any]:
        name = type(value).__name__
        return {CLASS_KEY: name, **forms[name].write(value)}

    return _Form(write, lambda data: forms[data[CLASS_KEY]].read(data))


def _form_of_played_card(unseen: _Form) -> _Form:
    return _Form(
        lambda held: unseen.write(held) if isinstance(held, UnseenCard) else str(held),
        lambda data: card(data) if isinstance(data, str) else unseen.read(data),
    )


def _form_of_tuple(arguments: tuple[Any, ...]) -> _Form:
    first, *others = map(_form, (kind for kind in arguments if kind is not ...))
    if arguments[1:] == (...,):
        return _Form(lambda held: [*map(first.write, held)], lambda data: tuple(map(first.read, data)))
    forms = (first, *others)
    return _Form(
        lambda held: [form.write(item) for form, item in zip(forms, held, strict=True)],
        lambda data: tuple(form.read(data[place]) for place, form in enumerate(forms)),
    )


def _form_of_mapping(key: _Form, item: _Form) -> _Form:
    """Return the form of a mapping: pairs, as its keys need not be names."""
    return _Form(
        lambda held: [[key.write(name), item.write(value)] for name, value in held.items()],
        lambda data: {key.read(name): item.read(value) for name, value in data},
    )


def _write_any(value: Any) -> Any:
    """Convert fields of a journal line or a phrase: JSON's own values, tuples and phrases."""
    if isinstance(value, Phrase):
        return {PHRASE_KEY: value.code, "fields": _write_any(value.fields)}
    if isinstance(value, tuple):
        return {TUPLE_KEY: [*map(_write_any, value)]}
    if isinstance(value, list):
        return [*map(_write_any, value)]
    if isinstance(value, Mapping):
        return {name: _write_any(item) for name, item in value.items()}
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{type(value).__name__} can't be kept")


def _read_any(data: Any) -> Any:
    if isinstance(data, list):
        return [*map(_read_any, data)]
    if isinstance(data, dict):
        if list(data) == [TUPLE_KEY]:
            return tuple(map(_read_any, data[TUPLE_KEY]))
        if list(data) == [PHRASE_KEY, "fields"]:
            return Phrase(data[PHRASE_KEY], _read_any(data["fields"]))
        return {name: _read_any(item) for name, item in data.items()}
    return data
