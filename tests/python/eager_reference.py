"""EAGER's rewards from their definitions (docs/eager.md), written to be read rather than to be fast.

An event is a dictionary: "type", "trigger" and "arguments", a list of (role, mention). In gold a mention is (text,
span), the span (begin, end) or None; in what was claimed it is a string.
"""

from collections import Counter

MEASURES = ["TI", "TC", "AI", "AC", "AI+", "AC+"]
REWARDS = ["format", "accuracy", "grounding", "over_generation", "coverage", "boundary"]


def rewards(text: str, gold: list[dict], claimed: list[dict] | None) -> tuple[dict, dict]:
    """The six rewards, and (predicted, gold, matched) of each measure; ``claimed`` is None for an unreadable output."""
    counts = measures(text, gold, claimed or [])
    if claimed is None:
        return dict.fromkeys(REWARDS, 0.0), counts
    gold_arguments = [argument for event in gold for argument in event["arguments"]]
    arguments = [argument for event in claimed for argument in event["arguments"]]
    extra = max(0, len(claimed) - len(gold)) + max(0, len(arguments) - len(gold_arguments))
    triggers_found = [event["trigger"] in text and event["trigger"] != "" for event in claimed]
    arguments_found = [mention in text and mention != "" for _, mention in arguments]
    return {
        "format": 1.0,
        "accuracy": sum(f1(*counts[measure]) for measure in MEASURES) / len(MEASURES),
        "grounding": (share(triggers_found) + share(arguments_found)) / 2,
        "over_generation": max(0.0, 1 - extra / max(1, len(gold) + len(gold_arguments))),
        "coverage": (min(1, len(claimed) / max(1, len(gold))) + min(1, len(arguments) / max(1, len(gold_arguments))))
        / 2,
        "boundary": boundary(gold_arguments, arguments),
    }, counts


def share(found: list[bool]) -> float:
    return sum(found) / len(found) if found else 0.0


def f1(predicted: int, gold: int, matched: int) -> float:
    if predicted == 0 and gold == 0:
        return 1.0
    precision = matched / predicted if predicted else 0.0
    recall = matched / gold if gold else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def boundary(gold: list[tuple], claimed: list[tuple]) -> float:
    if not gold and not claimed:
        return 1.0
    scores = []
    for role, mention in claimed:
        fits = [fit(mention.split(), wanted[0].split()) for other, wanted in gold if other == role]
        if fits:
            scores.append(max(fits)[1])
    return sum(scores) / len(scores) if scores else 0.0


def fit(claimed: list[str], gold: list[str]) -> tuple[float, float]:
    """Jaccard of the words, and the score."""
    common = sum((Counter(claimed) & Counter(gold)).values())
    everything = sum((Counter(claimed) | Counter(gold)).values())
    jaccard = common / everything
    runs = [claimed[i : i + len(gold)] for i in range(len(claimed) - len(gold) + 1)]
    if len(claimed) > len(gold) and gold in runs:
        return jaccard, max(0.0, jaccard - (len(claimed) - len(gold)) / max(1, len(gold)))
    return jaccard, jaccard


def measures(text: str, gold: list[dict], claimed: list[dict]) -> dict[str, tuple[int, int, int]]:
    wanted = [(event["type"], spot(event["trigger"]), places(event)) for event in gold]
    given = place(text, gold, claimed)
    result = {}
    for measure in MEASURES:
        a, b = (settled(keys(measure, events)) for events in (given, wanted))
        result[measure] = (a.total(), b.total(), (a & b).total())
    return result


def spot(mention: tuple) -> tuple:
    return mention[1] or ("string", normal(mention[0]))


def normal(mention: str) -> str:
    return " ".join(mention.split())


def places(event: dict) -> list[tuple]:
    return [(role, spot(mention)) for role, mention in event["arguments"]]


def keys(measure: str, events: list[tuple]) -> list[tuple]:
    if measure == "TI":
        return [(trigger,) for _, trigger, _ in events]
    if measure == "TC":
        return [(trigger, kind) for kind, trigger, _ in events]
    attached = measure.endswith("+")
    return [
        ((trigger,) if attached else ()) + (place, kind) + ((role,) if measure.startswith("AC") else ())
        for kind, trigger, arguments in events
        for role, place in arguments
    ]


def settled(found: list[tuple]) -> Counter:
    """Places count once; what has only a string counts as often as it is said."""
    counts = Counter(found)
    for key in counts:
        if not any(isinstance(part, tuple) and part[0] == "string" for part in key):
            counts[key] = 1
    return counts


def place(text: str, gold: list[dict], claimed: list[dict]) -> list[tuple]:
    """(type, spot of the trigger, [(role, spot)]) of each claimed event."""
    spots: dict[int, tuple] = {}
    pairs: dict[int, int] = {}
    for alike in grouped(range(len(claimed)), lambda i: (claimed[i]["type"], normal(claimed[i]["trigger"]))):
        place_triggers(text, gold, claimed, alike, spots, pairs)
    return [
        (event["type"], spots[i], place_arguments(text, gold, event, gold[pairs[i]] if i in pairs else None))
        for i, event in enumerate(claimed)
    ]


def place_triggers(text, gold, claimed, alike, spots, pairs) -> None:
    kind, mention = claimed[alike[0]]["type"], normal(claimed[alike[0]]["trigger"])
    same_string = [g for g, event in enumerate(gold) if normal(event["trigger"][0]) == mention]
    own = [g for g in same_string if gold[g]["type"] == kind]
    pairs |= paired(gold, claimed, alike, own)
    mine = unique(spot(gold[g]["trigger"]) for g in own)
    candidates = unique(mine + [spot(gold[g]["trigger"]) for g in same_string] + found(text, mention))
    later = len(mine)
    for i in alike:
        if i in pairs:
            spots[i] = spot(gold[pairs[i]]["trigger"])
            continue
        spots[i] = pick(candidates, later, mention)
        later += 1
        if own and spots[i] == spot(gold[own[0]]["trigger"]):
            pairs[i] = own[0]


def paired(gold, claimed, alike, own) -> dict[int, int]:
    """Most equal arguments first; then fewer arguments, then order."""

    def equal(i, g):
        mine = Counter((role, normal(mention)) for role, mention in claimed[i]["arguments"])
        return (mine & Counter((role, normal(mention[0])) for role, mention in gold[g]["arguments"])).total()

    pairs: dict[int, int] = {}
    order = sorted((-equal(i, g), len(claimed[i]["arguments"]), i, g) for i in alike for g in own)
    for _, _, i, g in order:
        if i not in pairs and g not in pairs.values():
            pairs[i] = g
    return pairs


def place_arguments(text: str, gold: list[dict], event: dict, pair: dict | None) -> list[tuple]:
    placed = {}
    arguments = event["arguments"]
    for alike in grouped(range(len(arguments)), lambda i: (arguments[i][0], normal(arguments[i][1]))):
        role, mention = arguments[alike[0]][0], normal(arguments[alike[0]][1])
        same_type = [other for other in gold if other["type"] == event["type"]]
        in_pair, in_type = (
            [a for e in events for a in e["arguments"]] for events in ([pair] if pair else [], same_type)
        )
        same_string = [(name, wanted) for name, wanted in in_pair if normal(wanted[0]) == mention]
        of_type = [(name, wanted) for name, wanted in in_type if normal(wanted[0]) == mention]
        preferred = [wanted for wanted in same_string if wanted[0] == role] + same_string
        preferred += [wanted for wanted in of_type if wanted[0] == role] + of_type
        candidates = [spot(wanted) for _, wanted in preferred]
        candidates = unique(candidates + found(text, mention))
        for n, i in enumerate(alike):
            placed[i] = (role, pick(candidates, n, mention))
    return [placed[i] for i in range(len(arguments))]


def pick(candidates: list[tuple], n: int, mention: str) -> tuple:
    if not candidates:
        return ("string", mention)
    return candidates[n] if n < len(candidates) else candidates[0]


def found(text: str, mention: str) -> list[tuple]:
    """Where it stands in the text, one after another."""
    spots, at = [], text.find(mention) if mention else -1
    while at >= 0:
        spots.append((at, at + len(mention)))
        at = text.find(mention, at + len(mention))
    return spots


def grouped(items, key) -> list[list]:
    groups: dict = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def unique(items) -> list:
    return list(dict.fromkeys(items))
