"""A completions server as small as can be: a "model" that finds words likely which its prompt holds."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


def tokens_of(text: str) -> list[str]:
    return re.findall(r" ?\w+| ?[^\w\s]|\s", text)


def logprob(token: str, before: str) -> float:
    return -0.5 if token.strip() in before else -4.0


def completion(prompt: str, index: int, echo: bool) -> dict:
    likely = " " + re.findall(r"[a-z]{3,}", prompt)[-1]
    tokens, logprobs, before = [], [], ""
    for token in [*(tokens_of(prompt) if echo else []), likely]:
        logprobs.append(logprob(token, before) if before or not echo else None)
        tokens.append(token)
        before += token
    logprobs[-1] = logprob(likely, prompt)
    top = [{token: value} for token, value in zip(tokens, logprobs, strict=True)]
    top[-1] = {likely: logprobs[-1], " zyzzyva": -4.0}
    lists = {"tokens": tokens, "token_logprobs": logprobs, "top_logprobs": top}
    return {"index": index, "text": (prompt if echo else "") + likely, "logprobs": lists}


@contextmanager
def completions_server() -> Iterator[tuple[str, list[str]]]:
    """Its address, and the prompts it was asked so far."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply({"data": [{"id": "words"}]})

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompts = request["prompt"] if isinstance(request["prompt"], list) else [request["prompt"]]
            asked.extend(prompts)
            echo = request.get("echo", False)
            choices = [completion(prompt, index, echo) for index, prompt in enumerate(prompts)]
            self.reply({"choices": choices, "usage": {"completion_tokens": len(choices)}})

        def reply(self, value: dict) -> None:
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
