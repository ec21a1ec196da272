"""Values as JSON has them, and back: dataclasses, enums, unions, tuples, mappings and sets, by their type hints.

What a value is follows from the type that is expected where it stands; so the same types that the referee works with
say what its file holds, and a new field or a new kind of observation is kept without a word about it here. Fields that
hold their default are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from numbers import Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from table.cards import Card, is_of_a_pack
from table.phrase import Phrase

IS = "is"
"""The field that names the class where one of several is expected."""
TUPLE = "()"
"""The one field of an object that stands for a tuple where anything may stand."""
PHRASE = "phrase"
"""The first of two of one that stands for a phrase there."""


def to_plain(value: Any, kind: Any) -> Any:
    """``value``, which is a ``kind``, as ``json.dumps`` takes it; ``TypeError`` where that type can't be kept."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return _anything(value)
    if is_dataclass(kind):
        return _object(value)
    if origin in (Union, UnionType):
        return _one_of(value, arguments)
    if origin is tuple:
        return [to_plain(one, _kind_at(arguments, place)) for place, one in enumerate(value)]
    if origin is frozenset:
        return sorted(to_plain(one, arguments[0]) for one in value)
    if _is_mapping(origin):
        return _pairs(value, *arguments)
    return _plain(value, kind)


def _plain(value: Any, kind: Any) -> Any:
    """A value that holds no others."""
    if kind in (int, float, str, bool):
        return kind(value)  # (sight's numbers may be NumPy's)
    if get_origin(kind) is Literal or kind is NoneType:
        return value
    if _is_enum(kind):
        return value.value
    raise TypeError(f"{kind} can't be kept")


def _one_of(value: Any, kinds: tuple[Any, ...]) -> Any:
    """A value that is of one of several kinds."""
    if value is None:
        return None
    if not is_dataclass(value):
        return to_plain(value, _simple(value, kinds))
    named = _object(value)
    return {IS: type(value).__name__, **named} if len(_classes(kinds)) > 1 else named


def _pairs(value: Mapping[Any, Any], keys: Any, kinds: Any) -> Any:
    """A mapping: an object where its keys are texts, else pairs."""
    if keys is str:
        return {key: to_plain(one, kinds) for key, one in value.items()}
    return [[to_plain(key, keys), to_plain(one, kinds)] for key, one in value.items()]


def from_plain(data: Any, kind: Any) -> Any:
    """The ``kind`` that :func:`to_plain` made ``data`` of; ``ValueError`` where it is none."""
    try:
        return _reader(kind)(data)
    except (TypeError, KeyError, AttributeError, IndexError) as error:
        raise ValueError(f"expected {getattr(kind, '__name__', kind)} ({error})") from None


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What makes a ``kind`` of its data; worked out once for each type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return _anything_of
    if is_dataclass(kind):
        return _reader_of_class(kind)
    if origin in (Union, UnionType):
        return _reader_of_one_of(arguments)
    if origin is None or origin is Literal:
        return partial(_single, kind=kind, arguments=arguments)
    if origin is tuple:
        return _reader_of_tuple(arguments)
    if origin is frozenset:
        each = _reader(arguments[0])
        return lambda data: frozenset(map(each, data))
    if not _is_mapping(origin):
        raise TypeError(f"{kind} can't be kept")
    return _reader_of_pairs(*arguments)


def _reader_of_class(kind: Any) -> Callable[[Any], Any]:
    readers: dict[str, Callable[[Any], Any]] = {}

    def read(data: dict[str, Any]) -> Any:
        if not readers:  # (a class may hold others of its kind)
            readers.update({name: _reader(hint) for name, hint in _hints(kind).items()})
        value = kind(**{name: readers[name](one) for name, one in data.items() if name != IS})
        if kind is Card and not is_of_a_pack(value):
            raise ValueError("expected a card")
        return value

    return read


def _reader_of_one_of(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Reads what :func:`_one_of` made."""
    classes = {one.__name__: _reader(one) for one in _classes(kinds)}

    def read(data: Any) -> Any:
        if data is None and NoneType in kinds:
            return None
        if isinstance(data, dict) and classes:
            name = data[IS] if len(classes) > 1 else next(iter(classes))
            return classes[name](data)
        return _reader(_simple(data, kinds))(data)

    return read


def _reader_of_tuple(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if arguments[1:] == (...,):
        each = _reader(arguments[0])
        return lambda data: tuple(map(each, data))
    readers = [_reader(one) for one in arguments]
    return lambda data: tuple(readers[place](one) for place, one in enumerate(data))


def _reader_of_pairs(keys: Any, kinds: Any) -> Callable[[Any], Any]:
    """Reads what :func:`_pairs` made."""
    key_of, value_of = _reader(keys), _reader(kinds)

    def read(data: Any) -> dict[Any, Any]:
        return {key_of(key): value_of(one) for key, one in (data.items() if keys is str else data)}

    return read


def _single(data: Any, kind: Any, arguments: tuple[Any, ...]) -> Any:
    """A value that holds no others."""
    if kind is float and type(data) is int:
        return float(data)
    if _is_enum(kind):
        return kind(data)
    if arguments:
        if data not in arguments:
            raise ValueError(f"expected one of {arguments}")
    elif type(data) is not kind:
        raise ValueError(f"expected {kind.__name__}, not {str(data)[:20]}")
    return data


def _object(value: Any) -> dict[str, Any]:
    kind: Any = type(value)
    hints = _hints(kind)
    return {
        one.name: to_plain(held, hints[one.name])
        for one in fields(value)
        if (held := getattr(value, one.name)) != _default(one)
    }


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if one.default_factory is not MISSING else one.default


def _classes(arguments: tuple[Any, ...]) -> list[Any]:
    return [one for one in arguments if is_dataclass(one)]


def _simple(value: Any, arguments: tuple[Any, ...]) -> Any:
    """Which of the types of a union a value is that is no dataclass."""
    if type(value) in arguments:
        return type(value)
    if isinstance(value, Real) and (float in arguments or int in arguments):
        return float if float in arguments else int
    other = [one for one in arguments if one not in (int, float, str, bool, NoneType)]
    if len(other) != 1:
        raise TypeError(f"expected one of {arguments}, not {type(value).__name__}")
    return other[0]


def _kind_at(arguments: tuple[Any, ...], place: int) -> Any:
    return arguments[0] if arguments[1:] == (...,) else arguments[place]


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _anything(value: Any) -> Any:
    """Fields of a journal line or a phrase: JSON's own values, tuples and phrases."""
    if isinstance(value, Phrase):
        return {PHRASE: value.code, "fields": _anything(value.fields)}
    if isinstance(value, tuple):
        return {TUPLE: [_anything(one) for one in value]}
    if isinstance(value, list):
        return [_anything(one) for one in value]
    if isinstance(value, Mapping):
        return {key: _anything(one) for key, one in value.items()}
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{type(value).__name__} can't be kept")


def _anything_of(data: Any) -> Any:
    if isinstance(data, list):
        return [_anything_of(one) for one in data]
    if isinstance(data, dict):
        if list(data) == [TUPLE]:
            return tuple(_anything_of(one) for one in data[TUPLE])
        if list(data) == [PHRASE, "fields"]:
            return Phrase(data[PHRASE], _anything_of(data["fields"]))
        return {key: _anything_of(one) for key, one in data.items()}
    return data
