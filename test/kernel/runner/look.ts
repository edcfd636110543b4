import { py } from "../py.ts";

/** What Python code can see of the interpreter it runs in. */
export const look = py`
  import gc, json, os, signal, sys, threading, warnings
  print(json.dumps({
      "sys.path": sys.path,
      "sys.flags": str(sys.flags),
      "recursion limit": sys.getrecursionlimit(),
      "switch interval": sys.getswitchinterval(),
      "garbage collection": [gc.isenabled(), gc.get_threshold()],
      "warning filters": [str(one) for one in warnings.filters],
      "threads": [thread.name for thread in threading.enumerate()],
      "is main thread": threading.current_thread() is threading.main_thread(),
      "name": __name__,
      "has file": "__file__" in globals() or hasattr(sys.modules["__main__"], "__file__"),
      "umask": os.umask(os.umask(0)),
      "encodings": [sys.stdin.encoding, sys.stdout.encoding, sys.stderr.encoding, sys.getfilesystemencoding()],
      "descriptors": [sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno()],
      "terminal": [sys.stdin.isatty(), sys.stdout.isatty(), sys.stderr.isatty()],
      "newlines": [sys.stdout.newlines, sys.stderr.newlines],
      "SIGPIPE": str(signal.getsignal(signal.SIGPIPE)),
      "SIGTERM": str(signal.getsignal(signal.SIGTERM)),
      "prefixes": [sys.prefix, sys.base_prefix, sys.executable],
      "working directory": os.getcwd(),
  }))
`;
