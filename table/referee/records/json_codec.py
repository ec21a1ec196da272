"""A codec between JSON and dataclasses, enums, unions, tuples, mappings and sets, driven by their type hints.

What a value is follows from the type that is expected where it stands; so the same types that the referee works with
define its file, and a new field or a new kind of observation needs no code here. Fields that hold their default are
left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from numbers import Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from table.cards import Card, Contract, bid_to_json, is_valid_card, parse_call
from table.phrase import Phrase

CLASS_KEY = "is"
"""The key of the class name where one of several classes is expected."""
TUPLE_KEY = "()"
"""The only key of an object that stands for a tuple where any value may stand."""
PHRASE_KEY = "phrase"
"""The first of the two keys of an object that stands for a phrase where any value may stand."""


def to_plain(value: Any, kind: Any) -> Any:
    """Convert ``value`` of type ``kind`` to plain JSON data; ``TypeError`` where that type has no JSON form."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return _any_to_plain(value)
    if is_dataclass(kind):
        return _dataclass_to_plain(value)
    if origin in (Union, UnionType):
        return _union_to_plain(value, arguments)
    if origin is tuple:
        return [to_plain(item, _kind_at(arguments, place)) for place, item in enumerate(value)]
    if origin is frozenset:
        return sorted(to_plain(item, arguments[0]) for item in value)
    if _is_mapping(origin):
        return _mapping_to_plain(value, *arguments)
    return _scalar_to_plain(value, kind)


def _scalar_to_plain(value: Any, kind: Any) -> Any:
    """Convert a value that holds no others."""
    if kind in (int, float, str, bool):
        return kind(value)  # (numbers from tracking may be NumPy's)
    if get_origin(kind) is Literal or kind is NoneType:
        return value
    if _is_enum(kind):
        return value.value
    raise TypeError(f"{kind} can't be kept")


def _union_to_plain(value: Any, kinds: tuple[Any, ...]) -> Any:
    """Convert a value of a union."""
    if value is None:
        return None
    if Contract in kinds:  # a bid or a call, as the journal has it
        return bid_to_json(value)
    if not is_dataclass(value):
        return to_plain(value, _scalar_type(value, kinds))
    named = _dataclass_to_plain(value)
    return {CLASS_KEY: type(value).__name__, **named} if len(_classes(kinds)) > 1 else named


def _mapping_to_plain(value: Mapping[Any, Any], keys: Any, kinds: Any) -> Any:
    """Convert a mapping: to an object where its keys are texts, else to pairs."""
    if keys is str:
        return {key: to_plain(item, kinds) for key, item in value.items()}
    return [[to_plain(key, keys), to_plain(item, kinds)] for key, item in value.items()]


def from_plain(data: Any, kind: Any) -> Any:
    """Convert plain JSON data from :func:`to_plain` back to type ``kind``; ``ValueError`` where the data do not fit."""
    try:
        return _reader(kind)(data)
    except (TypeError, KeyError, AttributeError, IndexError) as error:
        raise ValueError(f"expected {getattr(kind, '__name__', kind)} ({error})") from None


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """Return the function that converts data to ``kind``; built once for each type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return _any_from_plain
    if is_dataclass(kind):
        return _reader_of_class(kind)
    if origin in (Union, UnionType):
        return _reader_of_one_of(arguments)
    if origin is None or origin is Literal:
        return partial(_read_scalar, kind=kind, arguments=arguments)
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
        if not readers:  # (built on first use, as classes may be recursive)
            readers.update({name: _reader(hint) for name, hint in _hints(kind).items()})
        value = kind(**{name: readers[name](item) for name, item in data.items() if name != CLASS_KEY})
        if kind is Card and not is_valid_card(value):
            raise ValueError("expected a card")
        return value

    return read


def _reader_of_one_of(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Return the function that reverses :func:`_union_to_plain`."""
    if Contract in kinds:
        return lambda data: None if data is None and NoneType in kinds else parse_call(data)
    classes = {cls.__name__: _reader(cls) for cls in _classes(kinds)}

    def read(data: Any) -> Any:
        if data is None and NoneType in kinds:
            return None
        if isinstance(data, dict) and classes:
            name = data[CLASS_KEY] if len(classes) > 1 else next(iter(classes))
            return classes[name](data)
        return _reader(_scalar_type(data, kinds))(data)

    return read


def _reader_of_tuple(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if arguments[1:] == (...,):
        each = _reader(arguments[0])
        return lambda data: tuple(map(each, data))
    readers = [_reader(kind) for kind in arguments]
    return lambda data: tuple(readers[place](item) for place, item in enumerate(data))


def _reader_of_pairs(keys: Any, kinds: Any) -> Callable[[Any], Any]:
    """Return the function that reverses :func:`_mapping_to_plain`."""
    key_of, value_of = _reader(keys), _reader(kinds)

    def read(data: Any) -> dict[Any, Any]:
        return {key_of(key): value_of(item) for key, item in (data.items() if keys is str else data)}

    return read


def _read_scalar(data: Any, kind: Any, arguments: tuple[Any, ...]) -> Any:
    """Convert data to a value that holds no others."""
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


def _dataclass_to_plain(value: Any) -> dict[str, Any]:
    kind: Any = type(value)
    hints = _hints(kind)
    return {
        field.name: to_plain(held, hints[field.name])
        for field in fields(value)
        if (held := getattr(value, field.name)) != _default(field)
    }


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _classes(arguments: tuple[Any, ...]) -> list[Any]:
    return [kind for kind in arguments if is_dataclass(kind)]


def _scalar_type(value: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the type of a union that a value has which is no dataclass."""
    if type(value) in arguments:
        return type(value)
    if isinstance(value, Real) and (float in arguments or int in arguments):
        return float if float in arguments else int
    other = [kind for kind in arguments if kind not in (int, float, str, bool, NoneType)]
    if len(other) != 1:
        raise TypeError(f"expected one of {arguments}, not {type(value).__name__}")
    return other[0]


def _kind_at(arguments: tuple[Any, ...], place: int) -> Any:
    return arguments[0] if arguments[1:] == (...,) else arguments[place]


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _any_to_plain(value: Any) -> Any:
    """Convert fields of a journal line or a phrase: JSON's own values, tuples and phrases."""
    if isinstance(value, Phrase):
        return {PHRASE_KEY: value.code, "fields": _any_to_plain(value.fields)}
    if isinstance(value, tuple):
        return {TUPLE_KEY: [_any_to_plain(item) for item in value]}
    if isinstance(value, list):
        return [_any_to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _any_to_plain(item) for key, item in value.items()}
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{type(value).__name__} can't be kept")


def _any_from_plain(data: Any) -> Any:
    if isinstance(data, list):
        return [_any_from_plain(item) for item in data]
    if isinstance(data, dict):
        if list(data) == [TUPLE_KEY]:
            return tuple(_any_from_plain(item) for item in data[TUPLE_KEY])
        if list(data) == [PHRASE_KEY, "fields"]:
            return Phrase(data[PHRASE_KEY], _any_from_plain(data["fields"]))
        return {key: _any_from_plain(item) for key, item in data.items()}
    return data
