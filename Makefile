# A machine with make and Python >= 3.11 needs nothing else: each target installs what it uses.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed-
PARALLEL := -n auto --dist worksteal

# The tests start Python hundreds of times: without compiled files, a third slower.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo check test other-pythons thorough conformance lint format goldens new-task new-language docs docs-measured bench fuzz mutants real frameworks clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r target text; \
	do printf '%-18s %s\n' "$$target" "$$text"; done

demo: $(INSTALLED)cli,glyph ## draw, solve and judge an item of every part
	@$(BIN)/python -m tokenbench demo

check: lint ## check format, style, types and imports, and run the tests of what changed
	$(BIN)/python -m pytest $(PARALLEL) $$($(BIN)/python tools/changed_tests.py)

# mypy takes one core; the other Pythons take the second meanwhile.
test: $(INSTALLED)dev ## run every check: first those of style, types and other Pythons, then the tests
	@$(MAKE) --no-print-directory -j 2 lint other-pythons
	$(BIN)/python -m pytest $(PARALLEL)

other-pythons: $(INSTALLED)dev ## check the golden items under every other Python of this machine
	$(BIN)/python tests/golden/other_pythons.py

thorough: $(INSTALLED)dev ## run the tests that `make test` samples: more screens, workers, kills, languages
	$(BIN)/python -m pytest $(PARALLEL) --thorough -m thorough
	$(BIN)/python tests/golden/other_pythons.py --all

conformance: $(INSTALLED)dev ## check what every task promises, on 1,000 items of each part
	$(BIN)/python -m pytest $(PARALLEL) tests/testing/test_conformance.py --thorough --conformance-items 1000

lint: $(INSTALLED)dev ## check format, style, types, imports and plain words
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/plain_words.py

format: $(INSTALLED)dev ## format the code and mend what can be mended
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format

goldens: $(INSTALLED)dev ## write the golden files anew: read the diff, and raise versions where it says so
	$(BIN)/python tests/golden/golden.py --write
	$(BIN)/python tests/golden/golden_verdicts.py --write
	$(BIN)/python tools/sizes.py
	$(BIN)/python tools/lm_eval_tasks.py
	$(BIN)/python tools/public_names.py --write

new-task: $(INSTALLED)dev ## write the skeleton of a built-in task: NAME=vowels, perhaps PAPER=adt
	@$(BIN)/python tools/new_task.py $(NAME) --paper $(or $(PAPER),own)
	@$(BIN)/python tools/public_names.py --write

new-language: $(INSTALLED)dev ## write the skeleton of a language: CODE=fy
	@$(BIN)/python tools/new_language.py $(CODE)

docs: $(INSTALLED)dev ## write the pages of tasks and languages, and the reference to out/docs
	@$(BIN)/python docs/generate.py
	@$(BIN)/python docs/languages.py
	@$(BIN)/python docs/contact_sheet.py
	@$(BIN)/python docs/reference.py

docs-measured: $(INSTALLED)dev ## measure attacks, respellings, shortcuts, traps and outside tools anew for docs/
	@$(BIN)/python docs/attacks.py
	@$(BIN)/python docs/respellings.py
	@$(BIN)/python docs/traps.py
	@$(BIN)/python docs/outside.py
	@$(BIN)/python docs/shortcuts.py

bench: $(INSTALLED)bench ## run the benchmarks
	@set -e; for file in $(wildcard benchmarks/[a-z]*.py); do echo "== $$file"; $(BIN)/python $$file; done

fuzz: $(INSTALLED)fuzz ## look for answers that judging gets wrong, for a minute (Linux)
	$(BIN)/python tools/fuzz.py

mutants: $(INSTALLED)mutants ## plant faults in the judging code and see tests find them; takes hours
	$(BIN)/python tools/mutants.py --work out/mutants --write

real: $(INSTALLED)dev ## prove runs with llama.cpp, vLLM and transformers; downloads 4 GB, takes an hour
	$(BIN)/python tests/real/everything.py

frameworks: $(INSTALLED)dev ## run the integrations with the real frameworks; NAME="trl verl" for some
	$(BIN)/python tests/frameworks/everything.py $(NAME)

clean: ## remove all that make, the tests and the builds have made
	rm -rf .venv .venv-* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp for each extra, so that the demo does not wait for the developers' tools. Compiling all
# that is installed takes half a minute; what is used is compiled when it is imported.
$(INSTALLED)%: pyproject.toml | $(BIN)/pip
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable ".[$*]"
	@touch $@

# pip, not python: a venv that failed half-way has a python already.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo 'tokenbench needs Python 3.11 or newer, and "$(PYTHON)" is not; name one: make PYTHON=python3.12' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
