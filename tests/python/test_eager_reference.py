"""The command's EAGER rewards against those of eager_reference.py, on every record of the shared sets and on damaged
outputs."""

import gzip
import json
import os
import random
import re
from pathlib import Path

import eager_reference as reference
import pytest

FOLDER = Path(os.environ.get("HARNESSG_SHARED", Path(__file__).parents[3] / "shared")) / "data" / "events"


def phee(record: dict) -> tuple[str, list[dict]]:
    def mentions(argument: dict) -> list[tuple]:
        both = zip(argument["text"], argument["start"], strict=True)
        return [(" ".join(t), (s[0], s[0] + len(t[0])) if len(t) == 1 else None) for t, s in both]

    def walk(node: dict, prefix: str) -> list[tuple]:
        arguments = []
        for key in sorted(node):
            if key in ("event_id", "event_type", "text", "start", "entity_id", "value") or prefix + key == "Trigger":
                continue
            for child in node[key] if isinstance(node[key], list) else [node[key]]:
                if not isinstance(node[key], list):
                    arguments += [(prefix + key, mention) for mention in mentions(child)]
                arguments += walk(child, prefix + key + ".")
        return arguments

    return record["context"], [
        {"type": event["event_type"], "trigger": mentions(event["Trigger"])[0], "arguments": walk(event, "")}
        for annotation in record["annotations"]
        for event in annotation["events"]
    ]


def wikievents(record: dict) -> tuple[str, list[dict]]:
    tokens = [token for sentence in record["sentences"] for token in sentence[0]]
    text = ""
    for token, start, _ in tokens:
        text += " " * (start - len(text)) + token
    entities = {entity["id"]: entity for entity in record["entity_mentions"]}

    def mention(of: dict) -> tuple:
        begin, end = tokens[of["start"]][1], tokens[of["end"] - 1][2]
        return text[begin:end], (begin, end)

    return text, [
        {
            "type": event["event_type"],
            "trigger": mention(event["trigger"]),
            "arguments": [(a["role"], mention(entities[a["entity_id"]])) for a in event["arguments"]],
        }
        for event in record["event_mentions"]
    ]


def name_of(name: str) -> str:
    return re.sub(r"\W", "_", name)


def schemas_of(golds: list[list[dict]]) -> list[dict]:
    roles: dict[str, set] = {}
    for gold in golds:
        for event in gold:
            roles.setdefault(event["type"], set()).update(role for role, _ in event["arguments"])
    every = sorted(set().union(*roles.values()))
    return [
        {"type": kind, "class": name_of(kind), "roles": [{"role": r, "field": name_of(r).lower()} for r in every]}
        for kind in sorted(roles)
    ]


def claims_of(gold: list[dict]) -> list[dict]:
    return [
        {
            "type": event["type"],
            "trigger": event["trigger"][0],
            "arguments": [(role, mention[0]) for role, mention in event["arguments"]],
        }
        for event in gold
    ]


def damage(claimed: list[dict], text: str, schemas: list[dict], draw: random.Random) -> None:
    """One change, in place."""
    words = text.split()
    kinds, roles = [s["type"] for s in schemas], [r["role"] for r in schemas[0]["roles"]]
    event = draw.choice(claimed) if claimed else None
    at = draw.randrange(len(event["arguments"])) if event and event["arguments"] else None
    phrase = " ".join(words[(start := draw.randrange(len(words))) : start + draw.randint(1, 3)])
    match draw.randrange(11):
        case 0:
            claimed.append({"type": draw.choice(kinds), "trigger": phrase, "arguments": []})
        case 1 if event:
            claimed.remove(event)
        case 2 if event:
            claimed.append({**event, "arguments": list(event["arguments"])})
        case 3 if event:
            event["type"] = draw.choice(kinds)
        case 4 if event:
            event["trigger"] = draw.choice([phrase, event["trigger"] + " x", "", event["trigger"].upper()])
        case 5 if event:
            event["arguments"].append((draw.choice(roles), phrase))
        case 6 if at is not None:
            del event["arguments"][at]
        case 7 if at is not None:
            role, mention = event["arguments"][at]
            event["arguments"][at] = (
                role,
                draw.choice([mention + " " + words[-1], "the " + mention, mention[1:], phrase]),
            )
        case 8 if at is not None:
            event["arguments"][at] = (draw.choice(roles), event["arguments"][at][1])
        case 9 if at is not None:
            event["arguments"].append(event["arguments"][at])
        case _:
            draw.shuffle(claimed)


def output_of(claimed: list[dict]) -> str:
    """Each value as an argument's list, in the order of the roles' first values: the parser keeps that order."""
    instances = []
    for event in claimed:
        fields: dict[str, list] = {}
        for role, mention in event["arguments"]:
            fields.setdefault(role, []).append(mention)
        event["arguments"] = [(role, mention) for role, mentions in fields.items() for mention in mentions]
        parts = [f"mention={event['trigger']!r}"]
        parts += [f"{name_of(role).lower()}={mentions!r}" for role, mentions in fields.items()]
        instances.append(f"{name_of(event['type'])}({', '.join(parts)})")
    return f"[{', '.join(instances)}]"


@pytest.mark.parametrize(
    ("file", "read", "rounds"),
    [("phee_dev.jsonl", phee, 2), ("phee_train.jsonl.gz", phee, 1), ("wikievents_dev.jsonl", wikievents, 30)],
)
def test_rewards_are_those_of_the_definitions(file, read, rounds, harnessg, tmp_path, record_property):
    if not (FOLDER / file).exists():
        pytest.skip(f"{FOLDER / file} is not there; HARNESSG_SHARED names the folder")
    with (gzip.open if file.endswith("gz") else open)(FOLDER / file, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    schemas = schemas_of([read(record)[1] for record in records])
    (tmp_path / "schemas.jsonl").write_text("".join(json.dumps(schema) + "\n" for schema in schemas))
    draw, cases = random.Random(8), []
    for record in records:
        text, gold = read(record)
        for change in range(rounds + 1):
            claimed = claims_of(gold)
            for _ in range(change and draw.randint(1, 4)):
                damage(claimed, text, schemas, draw)
            output = output_of(claimed)
            broken = change > 0 and draw.random() < 0.05
            cases.append((record, text, gold, None if broken else claimed, output[:-2] if broken else output))
    with (tmp_path / "outputs.jsonl").open("w") as out:
        out.writelines(json.dumps({"output": case[4], "gold": case[0]}) + "\n" for case in cases)
    settings = f"schemas={tmp_path / 'schemas.jsonl'}"
    done = harnessg("reward", "eager", "--in", tmp_path / "outputs.jsonl", "--set", settings, "--json", timeout=600)
    *episodes, _ = map(json.loads, done.stdout.splitlines())
    assert len(episodes) == len(cases)
    for (_, text, gold, claimed, output), episode in zip(cases, episodes, strict=True):
        values, counts = reference.rewards(text, gold, claimed)
        ours = episode["detail"]["measures"]
        assert {m: (ours[m]["predicted"], ours[m]["gold"], ours[m]["matched"]) for m in counts} == counts, output
        assert all(abs(episode["components"][name] - values[name]) < 1e-12 for name in reference.REWARDS), output
    record_property("records", len(records))
    record_property("outputs", len(cases))
    record_property("damaged", len(cases) - len(records))
