# Everything a newcomer needs: `make demo`, `make test`. Both set up `.venv` first; a second run installs nothing.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

# On a Raspberry Pi the kernel's own way to its GPIO lines belongs to it.
PI    := $(shell grep -qs 'Raspberry Pi' /proc/device-tree/model && echo '[pi]')

# The versions that were tested with this Python; another Python takes what it finds.
MINOR := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
PINS  := $(wildcard .ci/constraints-$(MINOR).txt)
PIP   := $(BIN)/pip install --quiet $(addprefix --constraint ,$(PINS))

# An environment into which another folder (a copy, a second checkout) has installed itself is installed into anew.
AGAIN := $(shell [ "$$(cat '$(VENV)/installed' 2>/dev/null)" = '$(CURDIR)' ] || echo again)

.PHONY: again demo test quick-tests test-all check pictures example check-models constraints install install-dev compiled clean

demo: install
	$(BIN)/cardtable demo

# Lint, types, all unit and property tests, one demo, one recording, a dozen scenes: some minutes on two cores.
# The checks run beside the tests, since they keep one core busy at most.
test: install-dev
	@$(MAKE) --no-print-directory -j2 check quick-tests

quick-tests: install-dev
	$(BIN)/pytest -n 2 --dist worksteal -m "not thorough"

# Everything, with more examples of each property.
test-all: install-dev check
	$(BIN)/pytest -n 2 --dist worksteal --hypothesis-profile thorough

# Lint, formatting and types, without the tests.
check: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The README's pictures and its film, drawn anew.
pictures: install-dev
	$(BIN)/python -m tests.pictures

# The example of a table.toml, written anew as `cardtable init` writes one.
example: install-dev
	$(BIN)/cardtable init --config hardware/table.toml --players Ada Ben Cleo Dan --force
	@rm hardware/table.toml.old

# Types of the training side with what it trains with, of which the table needs nothing: some gigabytes, by hand.
check-models: install-dev
	$(PIP) '.[train]'
	$(BIN)/mypy --config-file .ci/mypy-models.ini

# Pins the newest versions anew, for PYTHON; `make test-all` says whether they will do.
constraints:
	sh .ci/constraints $(PYTHON)

install: $(VENV)/installed
install-dev: $(VENV)/installed-dev

# The program's bytecode, for where those who start it may not write it: else each start compiles all of it anew.
compiled: install
	$(BIN)/python -m compileall -q table

$(VENV)/installed: pyproject.toml $(PINS) $(AGAIN) | $(BIN)/pip
	$(PIP) --editable '.$(PI)'
	@echo '$(CURDIR)' >$@

$(VENV)/installed-dev: pyproject.toml $(PINS) $(AGAIN) | $(BIN)/pip
	$(PIP) --editable '.[dev]'
	@echo '$(CURDIR)' | tee $@ >$(VENV)/installed

$(BIN)/pip:
	@PYTHON='$(PYTHON)' sh .ci/venv $(VENV)

clean:
	rm -rf .venv .venv-* $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
