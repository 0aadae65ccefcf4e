"""The compiled module. Its classes are the package's own; import them from ``harnessg``."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harnessg.trace import Trace

Path = str | PathLike[str]
Kind = Literal["select", "lookup", "answer_with", "answer"]

__version__: str

class Index:
    """An open index: immutable, shared by all threads. Pickles by path and content hash."""

    @property
    def path(self) -> str: ...
    @property
    def content_hash(self) -> str: ...
    @property
    def paragraph_count(self) -> int: ...
    @property
    def sentence_count(self) -> int: ...
    @property
    def entity_count(self) -> int: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def settings(self) -> dict[str, str]: ...
    @property
    def embedder(self) -> str: ...
    @property
    def dim(self) -> int: ...
    @property
    def has_vectors(self) -> bool: ...
    @property
    def bytes_on_disk(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    def sentence(self, id: int) -> Sentence: ...
    def entity(self, id: int) -> Entity: ...
    def vectors(self, kind: Literal["paragraph", "sentence", "entity"]) -> NDArray[np.float32]:
        """One unit row a node, read-only and without a copy."""

    def close(self) -> None:
        """Lets the index go, and the environments made from it. Later use raises ClosedError."""

    @property
    def closed(self) -> bool: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, type: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

class Sentence:
    """A sentence of an index; texts are looked up when asked for. Equal by number and index."""

    @property
    def index(self) -> Index: ...
    @property
    def id(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def paragraph(self) -> str:
        """Record id of its paragraph."""

    @property
    def position(self) -> int:
        """In its paragraph, from 0."""

    @property
    def entities(self) -> list[Entity]: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...

class Entity:
    """An entity of an index. Equal by number and index."""

    @property
    def index(self) -> Index: ...
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str:
        """Its first surface form."""

    @property
    def label(self) -> str: ...
    @property
    def surfaces(self) -> list[str]: ...
    @property
    def sentences(self) -> list[Sentence]: ...
    def __index__(self) -> int: ...
    def __hash__(self) -> int: ...

class Action:
    """An entry of a menu."""

    @property
    def id(self) -> str:
        """ "A0", "A1", ... by position."""

    @property
    def position(self) -> int: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def sentence(self) -> Sentence | None:
        """What "select" and "answer_with" take."""

    @property
    def entity(self) -> Entity | None:
        """What "lookup" looks up."""

    @property
    def via(self) -> Sentence | None:
        """Of a lookup: the sentence that brought the entity up; None for a bridge lookup."""

    @property
    def anchor(self) -> Entity | None:
        """Of a lookup: the entity it bridges from."""

    @property
    def opens_title(self) -> bool:
        """Of a lookup: it shows an unseen paragraph that the entity is the title of. Profile "default" alone says."""

    def __hash__(self) -> int: ...

class Outcome:
    """What an action surfaces and what becomes possible then."""

    @property
    def sentences(self) -> list[Sentence]: ...
    @property
    def new_sentences(self) -> list[Sentence]: ...
    @property
    def consumed_sentences(self) -> list[Sentence]: ...
    @property
    def entities(self) -> list[Entity]: ...
    @property
    def produced_entities(self) -> list[Entity]: ...
    @property
    def used_entities(self) -> list[Entity]: ...
    @property
    def menu(self) -> list[Action]: ...
    @property
    def ends(self) -> bool: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def invalid(self) -> bool: ...
    @property
    def invalid_reason(self) -> str: ...

class Environment:
    """An index, settings and an embedder. Thread-safe. Pickles by reference: index, profile, scoring, embedder,
    settings."""

    def __init__(
        self,
        index: Index,
        profile: str = "default",
        scoring: Literal["lexical", "dense", "hybrid"] | None = None,
        embedder: str | Path | Callable[[list[str]], ArrayLike] | None = None,
        *,
        query_cache: int = ...,
        question_cache: int = ...,
        memory_bytes: int = ...,
        entity_memory_bytes: int = ...,
        **settings: object,
    ) -> None:
        """``query_cache`` and ``question_cache``: how many encoded texts and prepared questions are kept.
        ``memory_bytes``: what may be remembered of questions' lookups; ``entity_memory_bytes``: of entities that many
        sentences mention. They bound memory and change no result. ``settings`` are those of ``play --set``."""

    def reset(self, question: str, answers: Sequence[str] = (), id: str = "", seed: int = 0) -> Episode: ...
    def make_ready(self, questions: Iterable[str | Question]) -> None:
        """Makes questions ready together, so that reset finds their first views: faster than one by one. A question
        that reset would refuse is passed over."""

    def restore(self, saved: bytes) -> Episode: ...
    @property
    def index(self) -> Index: ...
    @property
    def profile(self) -> str: ...
    @property
    def recipe(self) -> tuple[str, str | None, Any, dict[str, Any]]:
        """The arguments it was made from, after the index."""

    @property
    def config(self) -> dict[str, str]:
        """Every setting, as traces record them."""

    @property
    def scoring(self) -> Literal["lexical", "dense", "hybrid"]: ...
    @property
    def turn_budget(self) -> int: ...
    @property
    def visible_bound(self) -> int:
        """The most sentences on display."""

    @property
    def menu_bound(self) -> int:
        """The most actions of a menu."""

    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, type: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

class Episode:
    """One walk through the graph, a value: copies are clones. Pickles as its bytes and its environment. One thread at a
    time may step it."""

    def step(self, action: str | int | Action) -> Outcome:
        """Takes a turn: an id ("A3"), a position or an Action. What is not on the menu is blocked (outcome.invalid)."""

    def preview(self, action: str | int | Action) -> Outcome:
        """What step would give; changes nothing."""

    def preview_all(self) -> list[Outcome]: ...
    def answer(self, text: str) -> None:
        """The answer text, once, after an answer action."""

    def clone(self) -> Episode: ...
    def save(self) -> bytes: ...
    @property
    def trace(self) -> Trace: ...
    def record_trace(self, frontier: bool = False) -> Trace: ...
    @property
    def environment(self) -> Environment: ...
    @property
    def observation(self) -> str: ...
    @property
    def menu(self) -> list[Action]: ...
    @property
    def menu_size(self) -> int:
        """How many actions the menu has, without making them."""

    @property
    def visible(self) -> list[Sentence]: ...
    @property
    def selected(self) -> list[Sentence]: ...
    @property
    def seen(self) -> list[Sentence]: ...
    @property
    def looked_up(self) -> list[Entity]: ...
    @property
    def turn(self) -> int: ...
    @property
    def ended(self) -> bool: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def over(self) -> bool: ...
    @property
    def question(self) -> str: ...
    @property
    def answers(self) -> list[str]: ...
    @property
    def id(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def answer_text(self) -> str | None: ...
    @property
    def query_vector(self) -> NDArray[np.float32]:
        """Of the question; empty where scoring is lexical."""

    @property
    def state_hash(self) -> int: ...

class FreeQueryArm:
    """The same environment played by free text, for comparison (docs/free-query.md). ``matched``: a query is mapped to
    the nearest lookup of the menu instead of searching the whole index."""

    def __init__(self, environment: Environment, matched: bool = False) -> None: ...
    def reset(self, question: str, answers: Sequence[str] = (), id: str = "", seed: int = 0) -> FreeQueryEpisode: ...
    @property
    def environment(self) -> Environment: ...
    @property
    def matched(self) -> bool: ...

class QueryOutcome:
    """What a query showed."""

    @property
    def sentences(self) -> list[Sentence]: ...
    @property
    def new_sentences(self) -> list[Sentence]: ...
    @property
    def lookup(self) -> Entity | None:
        """What the query was mapped to, where it is matched."""

    @property
    def truncated(self) -> bool: ...
    @property
    def invalid(self) -> bool: ...
    @property
    def invalid_reason(self) -> str: ...

class FreeQueryEpisode:
    """One episode of the free-query arm, a value. Pickles as its texts, which are played again."""

    def step(self, query: str) -> QueryOutcome:
        """Takes a turn. A text without a word is blocked (outcome.invalid)."""

    def answer(self, text: str) -> None:
        """Ends the search with the answer's text; takes a turn."""

    def clone(self) -> FreeQueryEpisode: ...
    @property
    def trace(self) -> Trace: ...
    @property
    def arm(self) -> FreeQueryArm: ...
    @property
    def observation(self) -> str: ...
    @property
    def visible(self) -> list[Sentence]: ...
    @property
    def seen(self) -> list[Sentence]: ...
    @property
    def queries(self) -> list[str]:
        """The texts given so far."""

    @property
    def turn(self) -> int: ...
    @property
    def ended(self) -> bool: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def over(self) -> bool: ...
    @property
    def question(self) -> str: ...
    @property
    def answers(self) -> list[str]: ...
    @property
    def id(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def answer_text(self) -> str | None: ...

class Question:
    """A question with its answers and what supports them."""

    def __init__(
        self,
        question: str,
        answers: Sequence[str] = (),
        id: str = "",
        type: str = "",
        supporting_facts: Sequence[dict[str, Any]] = (),
    ) -> None: ...
    @property
    def question(self) -> str: ...
    @property
    def answers(self) -> list[str]: ...
    @property
    def id(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def supporting_facts(self) -> list[dict[str, Any]]: ...

class SlotResult:
    """What a pool's call did to one episode."""

    @property
    def slot(self) -> int: ...
    @property
    def event(self) -> Literal["reset", "stepped", "skipped", "failed"]: ...
    @property
    def outcome(self) -> Outcome | None:
        """Of "stepped"."""

    def check(self) -> None:
        """Raises the error of "failed"."""

class SlotResults:
    """What a call did to every slot asked for, in that order; a SlotResult is made when it is asked for."""

    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> SlotResult: ...
    @property
    def skipped(self) -> list[int]:
        """Slots whose search was over."""

    @property
    def blocked(self) -> list[tuple[int, str]]:
        """Slots whose action was not on the menu, and why."""

    def check(self) -> None:
        """Raises the error of the first slot that failed."""

class Pool:
    def __init__(self, environment: Environment, size: int, threads: int, restart: bool) -> None: ...
    @property
    def environment(self) -> Environment: ...
    def reset(self, slots: NDArray[np.int64], questions: Sequence[Question], seeds: Sequence[int]) -> SlotResults: ...
    def step(self, actions: NDArray[np.int64]) -> list[SlotResult]: ...
    def advance(self, actions: NDArray[np.int64]) -> SlotResults: ...
    def observations(self) -> list[str]: ...
    def preview_all(self) -> list[list[Outcome]]: ...
    def send(self, slots: NDArray[np.int64], actions: NDArray[np.int64]) -> None: ...
    def receive(self, at_least: int) -> list[SlotResult]: ...
    @property
    def in_flight(self) -> int: ...
    @property
    def menu_sizes(self) -> NDArray[np.int64]: ...
    @property
    def turns(self) -> NDArray[np.int64]: ...
    @property
    def ended(self) -> NDArray[np.bool_]: ...
    @property
    def truncated(self) -> NDArray[np.bool_]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, slot: int) -> Episode: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...

def open(path: Path) -> Index:
    """Opens an index; reads every file and compares its hash."""

def verify(path: Path) -> None:
    """Reads every byte of an index; raises with the first thing that does not hold."""

def profile_names() -> list[str]: ...
def episode_seed(seed: int, index: int) -> int:
    """The seed of the index-th episode of many that were started with one seed."""

def read_questions(file: Path) -> list[Question]: ...
def resolve_facts(index: Index, question: Question) -> tuple[list[Sentence], list[str], list[str]]: ...
def trace_json(episode: Episode, frontier: bool = False) -> str: ...
def checked_trace(json: str) -> str: ...
def free_query_trace_json(episode: FreeQueryEpisode) -> str: ...
def transcript(
    turns: Sequence[tuple[str, str]], before: str, after: str
) -> tuple[str, list[tuple[int, int, str, int]], list[tuple[int, int, str, int]]]: ...
def plain_turns(episode: Episode) -> list[tuple[str, str]]: ...
def parse_turn(written: str) -> tuple[str, str, int, int]: ...
def build(
    corpus: Sequence[Path],
    output: Path,
    mentions: Path,
    spacy: tuple[Path, Path] | None,
    title_gazetteer: bool | None,
    embedder: str | Path | Callable[[list[str]], ArrayLike],
    callable_info: tuple[str, int, str] | None,
    replace: bool,
    skip_bad_records: bool,
    synonym_threshold: float,
    synonyms: int,
    chunk_tokens: int,
    chunk_overlap: int,
    threads: int,
    progress: Callable[[dict[str, Any]], None] | None,
) -> dict[str, Any]: ...

class Scorer:
    """What harnessg.credit.Scorer holds."""

    def __init__(self, scorer: str | Callable[[list[tuple]], list], **options: Any) -> None: ...
    @property
    def name(self) -> str: ...
    def score(
        self, requests: Sequence[tuple[str, Sequence[str], Sequence[str]]]
    ) -> list[tuple[float, tuple[str, str] | None]]: ...

def snc(
    traces: Sequence[Episode | str],
    scorer: Scorer,
    questions: Sequence[Question] | None,
    explain: bool,
    alpha: float,
    beta: float,
    gamma: float,
    dead_zone: float,
    baseline: str,
    estimator: str,
    protect_enabling: bool,
    shuffle_edges: int | None,
    harvest_bonus: float,
) -> list[tuple[str, list[float], str]]: ...
def rollout(
    traces: Sequence[Episode | str],
    environment: Environment,
    scorer: Scorer,
    value: str,
    gold: Sequence[Sequence[int]],
    alternatives: str,
    rollouts: int,
    seed: int,
    threads: int,
) -> list[tuple[str, list[float], str]]: ...

_Spans = list[tuple[int, int]]

def response_spans(text: str) -> tuple[_Spans, _Spans, _Spans]: ...
def token_owners(spans: NDArray[np.int64], offsets: NDArray[np.int64]) -> NDArray[np.int64]: ...
def token_credit(
    credit: NDArray[np.float64], spans: NDArray[np.int64], offsets: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def advantages(
    outcomes: NDArray[np.float64],
    groups: Sequence[int],
    tokens: NDArray[np.float64],
    offsets: Sequence[int],
    lambda_: float,
    clamp: float,
    floor: float,
    epsilon: float,
) -> tuple[int, float, float, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...

class Reward:
    """What harnessg.reward_plugins.Reward holds."""

    def __init__(self, name: str, settings: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def components(self) -> list[tuple[str, str, float, str]]:
        """Name, level, weight and meaning of each."""

    def score(
        self, rollouts: Sequence[str], group: str, advantages: str, tokens: Sequence[int]
    ) -> tuple[list[str], str]: ...

def reward_names() -> list[str]: ...
def register_reward(name: str, factory: Callable[[str], tuple[list[tuple], Callable[[str, str], str]]]) -> bool: ...
def decoupled_advantages(
    rewards: Sequence[Sequence[float]],
    groups: Sequence[int],
    variant: str,
    weights: Sequence[float],
    tokens: Sequence[int],
) -> list[float]: ...
def eager_parse(output: str, schemas: Sequence[str] | None, keep_unknown: bool) -> str: ...
def eager_gold_output(record: str, schemas: Sequence[str]) -> str: ...
def eager_records(file: Path) -> list[str]: ...
def eager_schemas(records: Sequence[str]) -> list[str]: ...
def eager_prompts(
    record: str, schemas: Sequence[str], rollouts: int, draw: str, negatives: int, seed: int, instruction: str
) -> list[str]: ...
def eager_textee(gold: Sequence[str], predicted: Sequence[str], arguments_only: bool) -> str: ...
