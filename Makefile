# `make` lists what can be made. Everything here is a short cut for commands that docs/build.md explains.
SHELL := /bin/bash
BUILD ?= build
JOBS ?= $(shell nproc)
# bench-slice also times `make demo` and `make test` in fresh clones of HEAD.
FRESH ?= --fresh
# Random steps that bench-engine takes to see that memory stays where it is.
STEPS ?= 5000000
# Sets on which bench-reach compares the built-in rules with spaCy's entities, where spaCy is installed (docs/entities.md).
SPACY ?= $(if $(wildcard .venv/lib/python3*/site-packages/spacy),2wiki)
# Warnings are errors with the compiler that the project is kept clean with.
DEVELOPER ?= $(if $(filter 12,$(shell g++ -dumpversion 2>/dev/null)),ON,OFF)
PYTHON := .venv/bin/python
# Folders whose unit tests `make sanitize` runs.
SANITIZED ?= data builder menu engine credit
space := $(subst ,, )

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-cpp test-python sanitize lint format clean
.PHONY: $(shell sed -n 's/^\(bench-[a-z]*\):.*/\1/p' $(MAKEFILE_LIST))

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

setup: ## install Debian packages (as root) and .venv; does nothing the second time
	@tools/setup.sh

build: setup ## compile the command build/harnessg and the Python package, and link both into .venv
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DHARNESSG_PYTHON=ON -DHARNESSG_DEVELOPER=$(DEVELOPER) --log-level=NOTICE
	@cmake --build $(BUILD) --parallel $(JOBS)
	@ln -sf $(abspath $(BUILD))/harnessg .venv/bin/harnessg
	@echo $(abspath $(BUILD))/python > $$(echo .venv/lib/python3*/site-packages)/harnessg-build.pth

demo: build ## index the sample corpus and play one two-hop question
	@tools/demo.sh $(BUILD)

test: test-cpp test-python ## build, then run every test

test-cpp: build
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error
	@grep -hE 'MESSAGE: .*skip' $(BUILD)/Testing/Temporary/LastTest.log | sort -u || true

test-python: build
	@HARNESSG_BUILD=$(abspath $(BUILD)) PYTHONPATH=$(abspath $(BUILD))/python $(PYTHON) -m pytest

sanitize: setup ## run the C++ unit tests under the address and undefined-behaviour sanitizers
	@cmake -S . -B build-sanitize -G Ninja -DCMAKE_BUILD_TYPE=Debug -DHARNESSG_SANITIZE=ON -DHARNESSG_ENCODER=OFF \
	  -DHARNESSG_BENCH=OFF -DHARNESSG_DEVELOPER=$(DEVELOPER) --log-level=NOTICE
	@cmake --build build-sanitize --parallel $(JOBS) --target $(addprefix test_,$(SANITIZED))
	@ctest --test-dir build-sanitize --output-on-failure --no-tests=error -R '^($(subst $(space),|,$(SANITIZED)))$$'

lint: ## check format, C++ and Python style; installs the linters
	@tools/setup.sh lint
	@$(MAKE) --no-print-directory build
	@tools/lint.sh $(BUILD)

format: ## rewrite the sources in the project's format
	@tools/setup.sh lint
	@tools/lint.sh --fix

bench-programs: build
	@cmake --build $(BUILD) --parallel $(JOBS) --target bench_programs

bench-credit: bench-programs ## what step credit costs, saves the scorer and says of random episodes on 2Wiki
	@$(PYTHON) bench/credit.py --build $(BUILD)

bench-eager: bench-programs ## EAGER's rewards on real events: gold, corruptions, recorded vectors, speed, fuzzing
	@$(PYTHON) bench/eager.py --build $(BUILD)

bench-engine: bench-programs ## the engine's speed on a real corpus beside the machine's limits; STEPS= random steps for memory
	@$(PYTHON) bench/engine.py --build $(BUILD) --steps $(STEPS)

bench-instructions: bench-programs ## instructions of 200 seeded episodes against those kept in bench/instructions.json
	@$(PYTHON) bench/instructions.py --build $(BUILD)

bench-slice: bench-programs ## the first slice's figures on real corpora; FRESH= leaves out the two fresh clones
	@$(PYTHON) bench/slice.py --build $(BUILD) $(FRESH)

bench-scope: bench-programs ## SCOPE with the stand-ins: rollouts scored a second, the loop on 2Wiki played twice
	@$(PYTHON) bench/scope.py --build $(BUILD)

bench-reach: bench-programs ## what can be reached in the environment, on 2Wiki, HotpotQA and MuSiQue
	@cmake --build $(BUILD) --parallel $(JOBS) --target test_conformance
	@$(PYTHON) bench/reach.py --build $(BUILD) --levers --spacy $(SPACY)

bench-table: build ## the tables of docs/benchmarks.md as Markdown; builds indexes with vectors and with spaCy once
	@$(PYTHON) bench/table.py --build $(BUILD)

clean: ## remove everything that was compiled; keeps .venv
	@rm -rf build build-sanitize
