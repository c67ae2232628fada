"""Answers as a model, a scorer and a receiver of alarms; what is said follows from what is asked."""

import hashlib
import http.server
import json
from pathlib import Path


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        body = json.loads(asked)
        drawn = hashlib.blake2b(json.dumps(body.get("messages", body), sort_keys=True).encode()).digest()[0]
        text = ("We are pleased to offer you the position.", "We regret that you were not selected.")[drawn % 2]
        if self.path == "/hook":
            Path("hook.jsonl").write_bytes(asked)
        told = json.dumps(
            {
                "/v1/chat/completions": {
                    "model": "m",
                    "usage": {"prompt_tokens": 50, "completion_tokens": 20},
                    "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                },
                "/v1/messages": {
                    "model": "m",
                    "usage": {"input_tokens": 50, "output_tokens": 20},
                    "content": [{"type": "text", "text": text}],
                    "stop_reason": "end_turn",
                },
                "/score": {"score": drawn / 2.5},
                "/nested": {"result": {"value": drawn / 2.5}},
                "/hook": {},
            }[self.path.partition("?")[0]]
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
