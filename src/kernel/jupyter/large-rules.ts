import { pythonLiteral } from "../../python/python-literal.ts";
import { filesMember, type HandedFiles } from "./handed-files.ts";

/** Code that makes IPython hand over large values as files, to the client of that session, if it sees the client's folder. */
export function largeRulesFor({ folder, identity }: HandedFiles, session: string, fileName: string): string {
  const names = { folder, identity, client: session };
  const code = `compile(${pythonLiteral(largeRules)}, ${pythonLiteral(fileName)}, "exec")`;
  return `exec(${code}, {"shell": get_ipython(), **${pythonLiteral(names)}})`;
}

/** As in large_values.py of the runner. */
const largeRules = `
import json, os, time

INLINE = 1_000_000  # in characters, of one message
LONGEST_ERROR = 2 * INLINE + 200_000  # the message stands twice in it
STEP = 1 << 20
START, END, LONGEST_LINE = 8_000, 12_000, 1_000
MOST_WAITING = 20  # files that the client has not read yet; then it is waited for
TIMEOUT_SECONDS = 60
owner = os.getpid()
session = shell.kernel.session
send = session.send

def is_shared():
    try:
        found = os.stat(folder)
    except OSError:
        return False  # the client is elsewhere, or has gone
    return [str(found.st_dev), str(found.st_ino)] == identity

def narrow(text):
    half = LONGEST_LINE // 2
    return "\\n".join([line if len(line) <= LONGEST_LINE else line[:half] + " \u2026 " + line[-half:] for line in text.split("\\n")])

def excerpt(text):
    if len(text) <= START + END:
        return text
    left_out = format(len(text) - START - END, ",")
    return "%s\\n[\u2026 %s characters are left out here \u2026]\\n%s" % (narrow(text[:START]), left_out, narrow(text[-END:]))

# When a message is not sent after all, for example because of an interrupt, the caller removes its files.
def hand_over(text, is_json, made):
    path = None
    try:
        give_up_at = time.monotonic() + TIMEOUT_SECONDS
        while len(os.listdir(folder)) >= MOST_WAITING:
            if time.monotonic() > give_up_at:
                raise OSError("the values before it were not read in time")
            time.sleep(0.005)
        name = os.urandom(8).hex()
        path = os.path.join(folder, name)
        made.append(path)
        written = 0
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for at in range(0, len(text), STEP):
                written += file.write(text[at : at + STEP].encode("utf-8", "replace"))
        return {"file": name, "bytes": written, "json": is_json}
    except OSError as problem:
        if path is not None:
            made.remove(path)
            remove([path])
        return {"bytes": len(text), "json": False, "problem": problem.strerror or str(problem)}

def remove(made):
    while made:
        try:
            os.unlink(made.pop())
        except OSError:
            pass

def fit_bundle(content, made):
    data = content["data"]
    texts = {mime: value if type(value) is str else json.dumps(value) for mime, value in data.items()}
    if sum(map(len, texts.values())) <= INLINE or not is_shared():
        return [content]
    small, files, room = {}, {}, INLINE
    for mime in sorted(texts, key=lambda mime: len(texts[mime])):
        text = texts[mime]
        if len(text) <= room:
            room -= len(text)
            small[mime] = data[mime]
            continue
        files[mime] = hand_over(text, type(data[mime]) is not str, made)
        if mime == "text/plain":
            small[mime] = excerpt(text)
    return [{**content, "data": small, "${filesMember}": files}]

def is_large_error(content):
    size = len(content.get("evalue") or "") + sum(map(len, content.get("traceback") or ()))
    return size > LONGEST_ERROR and is_shared()

def shortened(content, whole):
    return {**content, "evalue": excerpt(content["evalue"]), "traceback": excerpt(whole).split("\\n")}

def fit_error(content, made):
    if not is_large_error(content):
        return [content]
    whole = "\\n".join(content["traceback"])
    return [{**shortened(content, whole), "${filesMember}": {"traceback": hand_over(whole, False, made)}}]

# The same was published as an error.
def fit_reply(content, _):
    return [shortened(content, "\\n".join(content["traceback"]))] if is_large_error(content) else [content]

# Text that was written at once becomes several messages, which the client reads one by one.
def fit_stream(content, _):
    text = content["text"]
    return [{**content, "text": text[at : at + INLINE]} for at in range(0, len(text) or 1, INLINE)]

fits = {"execute_result": fit_bundle, "display_data": fit_bundle, "update_display_data": fit_bundle, "error": fit_error,
        "execute_reply": fit_reply, "stream": fit_stream}

def fitting(kind, content, parent, made):
    try:
        header = (parent or {}).get("header", parent) or {}
        if kind not in fits or os.getpid() != owner or header.get("session") != client:
            return [content]
        return fits[kind](content, made)
    except Exception:  # ipykernel shall say what is wrong with it
        remove(made)
        return [content]

def send_fitting(stream, message, content=None, parent=None, *more, **options):
    made = []
    try:
        if isinstance(message, dict):
            return send_whole(made, stream, message, content, parent, *more, **options)
        for part in fitting(message, content, parent, made):
            sent = send(stream, message, part, parent, *more, **options)
        return sent
    except BaseException:
        remove(made)
        raise

def send_whole(made, stream, message, content, parent, *more, **options):
    kind, parent_header = message.get("msg_type"), message.get("parent_header")
    parts = fitting(kind, message.get("content"), parent_header, made)
    # Each has an id of its own: a client drops duplicates.
    for part in parts[:-1]:
        piece = session.msg(kind, part, parent=parent_header, metadata=message.get("metadata"))
        send(stream, piece, None, None, *more, **options)
    return send(stream, {**message, "content": parts[-1]}, content, parent, *more, **options)

session.send = send_fitting
`;
