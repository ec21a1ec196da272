# Everything a newcomer needs: `make demo`, `make test`. Both set up `.venv` first; a second run installs nothing.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# On a Raspberry Pi the kernel's own way to its GPIO lines belongs to it.
PI    := $(shell grep -qs 'Raspberry Pi' /proc/device-tree/model && echo '[pi]')

.PHONY: demo test check pictures install install-dev clean

demo: install
	$(BIN)/cardtable demo

test: install-dev check
	$(BIN)/pytest -n 2 --dist worksteal

# Lint, formatting and types, without the tests.
check: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The README's pictures, drawn anew.
pictures: install-dev
	$(BIN)/python -m tests.pictures

install: $(VENV)/installed
install-dev: $(VENV)/installed-dev

$(VENV)/installed: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install --quiet --editable '.$(PI)'
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/pip
	$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/installed

$(BIN)/pip:
	@PYTHON='$(PYTHON)' sh .ci/venv $(VENV)

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
