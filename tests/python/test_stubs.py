"""``_native.pyi`` and the Python plugin of docs/rewards.md."""

import ast
from pathlib import Path

import harnessg
from harnessg import _native

ROOT = Path(__file__).resolve().parents[2]


def test_every_public_name_of_the_compiled_module_has_a_stub():
    stub = ast.parse((ROOT / "bindings/python/harnessg/_native.pyi").read_text(encoding="utf-8"))
    known = {node.name for node in stub.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    public = {name for name in vars(_native) if not name.startswith("_")}
    assert public - known == set()


def test_the_python_plugin_of_the_page_scores():
    page = (ROOT / "docs/rewards.md").read_text(encoding="utf-8")
    code = page.split("## A plugin in Python\n\n```python\n")[1].split("```")[0]
    names = {}
    exec(code, names)
    made = harnessg.reward_plugins.make("output_length", limit=10)
    report = made.score([{"output": "short"}, {"output": "longer than ten"}])
    assert [one.total for one in report.episodes] == [1, 0]
