"""Jupyter's own reader and writer of messages, as an oracle: a line with a message's frames in base64 in, its content out, and back."""

import base64
import json
import sys

from jupyter_client.session import Session

key = sys.argv[1].encode()
session = Session(key=key, signature_scheme="hmac-sha256", check_pid=False)

for line in sys.stdin:
    frames = [base64.b64decode(frame) for frame in json.loads(line)]
    try:
        _, parts = session.feed_identities(frames)
        message = session.deserialize(parts, content=True, copy=True)
    except ValueError as problem:
        print(json.dumps({"refused": str(problem)}), flush=True)
        continue
    answer = session.serialize(session.msg("echo", message["content"], parent=message))
    print(
        json.dumps(
            {
                "type": message["header"]["msg_type"],
                "parent": message["parent_header"].get("msg_id"),
                "content": message["content"],
                "buffers": [bytes(buffer).hex() for buffer in message["buffers"]],
                "answer": [base64.b64encode(frame).decode() for frame in answer],
            },
            default=str,
        ),
        flush=True,
    )
