# make demo · make test · make pictures · make screens · make reader-accuracy · make test-notebooks · make test-local · make test-wheel · make check · make docs · make published · make bench · make bench-masking · make coverage · make test-slow · make fuzz
# Needs Python 3.11 or newer, pip, git and make; everything else is installed below .uv and .venv.

PYTHON ?= python3
UV = PYTHONPATH=.uv $(PYTHON) -m uv
RUN = $(UV) run --frozen --no-sync
OUT ?= runs/demo
SECONDS ?= 600

export UV_PROJECT_ENVIRONMENT = .venv
# Compiled once here instead of at every start of every process.
export UV_COMPILE_BYTECODE = 1
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test pictures screens reader-accuracy test-notebooks test-local test-wheel check docs published bench bench-masking coverage test-slow fuzz clean

.uv/installed:
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --target .uv uv
	touch $@

demo: .uv/installed
	$(UV) sync --quiet --frozen --no-dev --inexact --extra match
	@$(RUN) evenhand demo --force --out $(OUT) || { echo "make demo OUT=FOLDER writes it elsewhere."; exit 1; }
	@echo "Open $(OUT)/index.html in a browser."

.venv/developer: .uv/installed pyproject.toml uv.lock
	$(UV) sync --quiet --frozen
	touch $@

# One process per core; who is done takes over tests of the other.
test: .venv/developer
	$(RUN) pytest --numprocesses auto --dist worksteal

# The README's picture, from runs/demo, or a demo made first where there is none; needs chromium.
pictures: .venv/developer
	test -f $(OUT)/study/report.html || $(RUN) evenhand demo --force --out $(OUT)
	$(RUN) python scripts/pictures.py $(OUT) docs/pictures

# What the commands show, written anew into tests/flows/screens; the tests compare with it.
screens: .venv/developer
	EVENHAND_SCREENS=write $(RUN) pytest tests/flows/test_screens_flow.py

# How the readers read the held-out labelled answers, written into the table that reports quote.
reader-accuracy: .venv/developer
	$(RUN) python scripts/reader_accuracy.py

check: .venv/developer
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(RUN) lint-imports
	$(RUN) arid src
	$(RUN) pytest --doctest-modules src tests/test_house.py
	$(RUN) python scripts/write_columns.py --check
	$(RUN) python scripts/weight.py
	$(RUN) python scripts/size.py

# Published figures, computed again by the commands: docs/published.md. RANKINGS=FILE are Bloomberg's raw rankings.
published: .venv/developer
	$(RUN) python scripts/published.py $(if $(RANKINGS),--rankings $(RANKINGS))

# The pages of docs/, the notebooks and the docstrings of the public names as HTML; a warning is an error.
docs: .venv/developer
	$(RUN) sphinx-build --quiet --fail-on-warning --fresh-env --conf-dir docs . build/docs
	@echo "Open build/docs/index.html in a browser."

.venv-notebooks/installed: .uv/installed pyproject.toml uv.lock
	UV_PROJECT_ENVIRONMENT=.venv-notebooks $(UV) sync --quiet --frozen --no-dev --group notebooks
	touch $@

# The notebooks where there is nothing but the package and what runs them.
test-notebooks: .venv-notebooks/installed
	JUPYTER_PATH= .venv-notebooks/bin/python scripts/run_notebooks.py

# torch comes first and from the index that pip is set to: which build is right depends on the machine.
.venv-local/installed: pyproject.toml tests/local/requirements.txt
	$(PYTHON) -m venv .venv-local
	.venv-local/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	.venv-local/bin/python -m pip install --quiet --disable-pip-version-check -e '.[local]' hypothesis pytest pytest-asyncio langchain-core==1.8.0
	.venv-local/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r tests/local/requirements.txt
	touch $@

# One thread: the models are so small that a second one only waits.
test-local: .venv-local/installed
	EVENHAND_REQUIRE=torch,transformers,langchain_core OMP_NUM_THREADS=1 .venv-local/bin/python -m pytest tests/local

# The wheel in new environments: each Python there is, and the lowest versions that pyproject.toml allows.
test-wheel: .uv/installed
	PYTHONPATH=.uv $(PYTHON) scripts/wheels.py

test-slow: .venv/developer
	$(RUN) pytest -m slow
	$(RUN) env EVENHAND_EXAMPLES=100 pytest -m hypothesis

# Damaged inputs for every reader; SECONDS=60 SEED=1 is what CI runs, ONLY='file: CSV' attacks the targets so called.
fuzz: .venv/developer
	$(RUN) python tests/hostile/fuzz.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(if $(INPUTS),--inputs $(INPUTS)) --only '$(ONLY)'

# The simulations of docs/coverage.md, six minutes; exit 1 where an error rate is above its limit.
coverage: .venv/developer
	$(RUN) python scripts/coverage.py

bench: .venv/developer
	$(RUN) python bench/run.py

# Two minutes on two cores. One thread per process, as there is a process per core.
bench-masking: .venv/developer
	$(RUN) env OMP_NUM_THREADS=1 PYTHONPATH=bench python -m masking
	$(RUN) env PYTHONPATH=bench python -m masking.speed
	$(RUN) env PYTHONPATH=bench python -m masking.documents

clean:
	rm -rf build .uv .venv .venv-* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
