# `make` lists what can be made. Everything here is a short cut for commands that docs/build.md explains.
SHELL := /bin/bash
BUILD ?= build
JOBS ?= $(shell nproc)
# Warnings are errors with the compiler that the project is kept clean with.
DEVELOPER ?= $(if $(filter 12,$(shell g++ -dumpversion 2>/dev/null)),ON,OFF)
PYTHON := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-cpp test-python sanitize lint format bench-slice clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

setup: ## install Debian packages (as root) and .venv; does nothing the second time
	@tools/setup.sh

build: setup ## compile the library and the command build/harnessg
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DHARNESSG_PYTHON=ON -DHARNESSG_DEVELOPER=$(DEVELOPER) --log-level=NOTICE
	@cmake --build $(BUILD) --parallel $(JOBS)

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
	@cmake --build build-sanitize --parallel $(JOBS) --target unit_tests
	@ctest --test-dir build-sanitize --output-on-failure --no-tests=error --label-regex unit

lint: ## check format, C++ and Python style; installs the linters
	@tools/setup.sh lint
	@$(MAKE) --no-print-directory build
	@tools/lint.sh $(BUILD)

format: ## rewrite the sources in the project's format
	@tools/setup.sh lint
	@tools/lint.sh --fix

bench-slice: build ## time building, opening and stepping on the 2Wiki slice
	@$(PYTHON) bench/slice.py --build $(BUILD)

clean: ## remove everything that was compiled; keeps .venv
	@rm -rf build build-sanitize
