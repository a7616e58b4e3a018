# Every target works from a fresh clone: it makes .venv, installs what is pinned, and does its job.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Of pytest's plugins these tests need one, and its workers' own; all others would be imported and
# rewritten in each process.
BARE := PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(BIN)/python -m pytest -p hypothesispytest -q
# A worker that crashes is replaced once, or a test that hangs would hang in many workers.
PYTEST := $(BARE) -p xdist -n 2 --dist loadfile --max-worker-restart 1
UNITS := tests/unit rnn_helpers tests/structure
CHAPTER ?=
CHAPTERS ?=
OVERLAY ?=
SOLUTIONS ?=
ALL ?=
BASE ?=
KIND ?=
NAME ?=
FOLDER ?=
SET ?=
SEED ?=
STUDENT ?=
STUDENTS ?=
DUE ?=
SECONDS ?= 180
MEGABYTES ?= 8192
BASEURL ?=
HOST ?= 127.0.0.1
PORT ?= 8000

NUMBERS := $(sort $(foreach book,$(wildcard book/*_*.ipynb),$(firstword $(subst _, ,$(notdir $(book))))))
NOTEBOOKS = $(wildcard book/$(or $(CHAPTER),*)_*.ipynb)
ifneq ($(CHAPTER),)
ifneq (1 $(CHAPTER),$(words $(CHAPTER)) $(filter $(NUMBERS),$(CHAPTER)))
$(error CHAPTER=$(CHAPTER) is no chapter; there are $(NUMBERS))
endif
endif
define YES_OR_NO
ifneq ($($1),)
ifneq (1 $($1),$$(words $($1)) $$(filter yes no,$($1)))
$$(error $1=$($1): expected yes or no)
endif
endif
endef
$(foreach name,SOLUTIONS ALL,$(eval $(call YES_OR_NO,$(name))))
ONE = $(if $(CHAPTER),--chapter $(CHAPTER)) $(NIGHTLY)

# All that is built is of one edition, which these name: press/edition.py reads them.
export CHAPTERS OVERLAY

# The value of a variable as one word, in which the shell changes nothing.
QUOTED = '$(subst ','\'',$(value $1))'
PUBLISH = $(BIN)/python -m press.publish $(if $(value BASEURL),--baseurl $(call QUOTED,BASEURL))

# Of two targets side by side, each shows what it says when it is done; in CI at once, or a run that is
# cut off would not show how far it came. What makes the site is made in order, however many jobs there
# are.
SIDE_BY_SIDE = $(MAKE) --no-print-directory --jobs 2 \
  $(if $(CI),,$(filter --output-sync,$(.FEATURES:%=--%)))
ifeq ($(filter part-% units,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

.DEFAULT_GOAL := help
.PHONY: help book slides serve lab check lint lint-js units test test-all built mutants \
  assignment private grade classroom pdf publish address wheelhouse bench figures new setup lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Unfolded needs Python 3.11 or newer: make PYTHON=python3.12 ...')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -r requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

book: $(READY) ## build the site, print its address; CHAPTERS=1-4,10 for a part, OVERLAY=… for a course
	$(BIN)/python -m press.build

slides: $(READY) ## build the decks (into the site's folder)
	$(BIN)/python -m press.slides $(CHAPTER)

serve: book ## serve the site; HOST=0.0.0.0 for a room
	$(BIN)/python -m press.serve --host $(call QUOTED,HOST) --port $(call QUOTED,PORT)

# What is in .jupyter keeps JupyterLab from asking the network for news and updates, and its kernels
# from talking so that others on this machine could listen.
lab: $(READY) ## open the notebooks in JupyterLab
	JUPYTER_CONFIG_PATH="$(CURDIR)/.jupyter" $(BIN)/jupyter lab book

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

# Only changes to figures need Node, so `make check` leaves this to .ci/run.
lint-js: ## lint JavaScript (needs Node, as `make figures` does)
	npm --prefix explorables ci --no-audit --no-fund
	npm --prefix explorables run lint

# Two processes side by side, each with half of the files: workers that talk cost half as much again.
check: lint ## lint and the quick tests that your changes affect; BASE=… ALL=yes CHAPTER=04
	@files="$(if $(filter yes,$(ALL))$(CHAPTER),$(UNITS),$$($(BIN)/python -m tests.affected $(call QUOTED,BASE)))" \
	  && { [ -z "$$files" ] || $(SIDE_BY_SIDE) part-1 part-2 FILES="$$files"; }
	@echo "make check left the JavaScript to CI: make lint-js (needs Node)"

part-%: $(READY)
	@$(BARE) -m "not slow" --part $*/2 $(FILES) $(ONE)

units: $(READY)
	$(PYTEST) $(if $(NIGHTLY)$(CHAPTER),--hypothesis-profile night) -p nbval --nbval-lax --nbval-cell-timeout=600 \
	  $(NOTEBOOKS) $(UNITS) tests/nets $(ONE)

# Units and notebooks use the core that the build leaves free; the browser and the hand-outs need the
# site. Three workers share two cores, because a test that waits for a browser leaves its core idle.
test: lint ## all tests but the nightly ones; CHAPTER=04 runs all of one chapter's
	@$(SIDE_BY_SIDE) units built
	$(PYTEST) -n 3 --dist loadgroup \
	  tests/labs tests/experiments tests/course tests/browser tests/handouts $(ONE)

test-all: ## all tests, as the workflow does each night
	@$(MAKE) --no-print-directory test NIGHTLY=--nightly

built:
	@$(MAKE) --no-print-directory classroom wheelhouse

mutants: $(READY) ## list wrong answers that an exercise accepts; CHAPTER=04 for one chapter's
	$(BIN)/python tests/mutants.py $(CHAPTER)

classroom: book slides ## hand-outs, students' and instructor's; SOLUTIONS=yes gives students all
	$(BIN)/python -m press.classroom $(if $(filter yes,$(SOLUTIONS)),--solutions)
	$(BIN)/python -m press.launch

pdf: book slides ## the book, handouts and slides on paper (needs Chromium); CHAPTER=04 SOLUTIONS=no
	$(BIN)/python -m press.pdf $(if $(CHAPTER),--chapter $(CHAPTER)) \
	  $(if $(filter no,$(SOLUTIONS)),--no-solutions)

# The address is checked first, so that nobody waits for the book to learn that it is missing.
publish: address book slides ## a folder for a static host; BASEURL=https://… SOLUTIONS=no
	$(PUBLISH) $(if $(filter no,$(SOLUTIONS)),--no-solutions)

address: $(READY)
	@$(PUBLISH) --address

# Submissions run with the package as students have it. It isn't linked to this tree, where they would
# find the solutions.
COURSE := .venv-course
COURSE_READY := $(COURSE)/.ready
COURSE_PYTHON := $(COURSE)/bin/python

$(COURSE)/.ready: requirements.txt requirements-course.txt pyproject.toml
	$(PYTHON) -m venv $(COURSE)
	$(COURSE)/bin/python -m pip install --quiet -r requirements-course.txt
	$(COURSE)/bin/python -m pip install --quiet --no-deps --no-build-isolation --force-reinstall .
	@touch $@

ASSIGN = $(COURSE_PYTHON) -m course.assignment --folder $(call QUOTED,FOLDER) --seed $(call QUOTED,SEED)

assignment: $(COURSE_READY) ## a problem set: FOLDER=… SET=1 SEED=… [STUDENT=id|STUDENTS=…csv] [DUE=…]
	@$(ASSIGN) --set $(call QUOTED,SET) --student $(call QUOTED,STUDENT) --due $(call QUOTED,DUE) \
	  $(if $(value STUDENTS),--students $(call QUOTED,STUDENTS))

private: $(COURSE_READY) ## your own copy of the problems' templates: FOLDER=… SEED=… (secret)
	@$(ASSIGN) --private

grade: $(COURSE_READY) ## grade what is in FOLDER/submitted; SECONDS=180 MEGABYTES=8192 STUDENT=id
	@$(COURSE_PYTHON) -m course.grade --folder $(call QUOTED,FOLDER) --student $(call QUOTED,STUDENT) \
	  --seconds $(call QUOTED,SECONDS) --megabytes $(call QUOTED,MEGABYTES)

exam: $(READY) ## a paper of 90 minutes and its key: FOLDER=… SEED=… CHAPTERS="02 03 04"
	@$(BIN)/python -m course.exam --folder $(call QUOTED,FOLDER) --seed $(call QUOTED,SEED) \
	  --chapters $(call QUOTED,CHAPTERS)

wheelhouse: $(READY) ## pinned wheels for a USB stick: FOR="all" PYTHONS="3.11 3.13" for other systems
	$(BIN)/python -m press.wheelhouse $(if $(value FOR),--for $(FOR)) $(if $(value PYTHONS),--pythons $(PYTHONS))

bench: book ## the reference against torch, rnn.py against min-char-rnn, dragged figures, many readers
	$(BIN)/python -m bench.reference_vs_torch
	$(BIN)/python -m bench.min_char_rnn
	$(BIN)/python -m bench.drags
	$(BIN)/python -m bench.serve

figures: $(READY) ## bundle the interactive figures (needs Node) and draw their default states
	npm --prefix explorables ci --no-audit --no-fund
	npm --prefix explorables run format
	node explorables/build.mjs
	$(BIN)/python -m press.still

new: $(READY) ## start from what passes its tests: KIND=figure|exercise|claim|chapter CHAPTER=13 NAME=…
	@$(BIN)/python -m press.new $(call QUOTED,KIND) $(call QUOTED,CHAPTER) $(call QUOTED,NAME)

# Git runs these commands in a shell at the top of the tree. So their paths may contain a space, and the
# tree may move.
setup: $(READY) ## a contributor's git filters: notebooks are committed without outputs
	git config filter.nbstripout.clean "$(BIN)/python -m nbstripout --keep-id --extra-keys metadata.language_info"
	git config filter.nbstripout.smudge cat
	git config filter.nbstripout.required true
	git config diff.jupyternotebook.command "$(BIN)/python -m nbdime.vcs.git.diffdriver diff"
	git config merge.jupyternotebook.driver "$(BIN)/python -m nbdime.vcs.git.mergedriver merge %O %A %B %L %P"

lock: ## pin every dependency again
	uv pip compile --quiet --universal --python-version 3.11 --all-extras --no-annotate \
	  --custom-compile-command "make lock" pyproject.toml | grep -v "'never'" > requirements.lock
	mv requirements.lock requirements.txt

clean: ## remove what was built
	rm -rf _build dist
