"""The view, by the name under which the drawing code was first written."""

from table.referee.view import Lying as Lying
from table.referee.view import Notice as Notice
from table.referee.view import View as View
