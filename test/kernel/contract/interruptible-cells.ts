import { py } from "../py.ts";

/** Cells that would run for a minute or for ever, by what blocks them. */
export const interruptibleCells: Readonly<Record<string, string>> = {
  "a busy loop": "while True: pass",
  "time.sleep": "import time\ntime.sleep(60)",
  "an await": "import asyncio\nawait asyncio.sleep(60)",
  "a coroutine that computes without pause": "async def spin():\n    while True: pass\nawait spin()",
  "tasks that wake each other all the time": py`
    import asyncio
    async def spin():
        while True:
            await asyncio.sleep(0)
    await asyncio.gather(*(spin() for _ in range(10)))
  `,
  "a child process": "import subprocess\nsubprocess.run(['sleep', '60'])",
  "a child process that ignores the interrupt": py`
    import subprocess
    subprocess.run(["sh", "-c", "trap '' INT; sleep 60 & wait; sleep 60"])
  `,
  "a shell command": "import os\nif os.system('sleep 60'): raise KeyboardInterrupt",
  "output of a child process that is waited for": py`
    import subprocess
    subprocess.check_output(["sh", "-c", "echo x; sleep 60"])
  `,
  "a thread join": py`
    import threading, time
    thread = threading.Thread(target=time.sleep, args=(60,), daemon=True)
    thread.start()
    thread.join()
  `,
  "a lock": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
  "a queue": "import queue\nqueue.Queue().get()",
  "a flood of output": "while True: print('x' * 100)",
  "a flood on both streams": py`
    import sys
    while True:
        print("out")
        print("err", file=sys.stderr)
  `,
  "displays without end": "while True: display(1)",
  "a pool of processes": py`
    import multiprocessing, time
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.map(time.sleep, [60, 60])
  `,
  "a pool of threads": py`
    import time
    from concurrent.futures import ThreadPoolExecutor
    pool = ThreadPoolExecutor(2)
    [future.result() for future in [pool.submit(time.sleep, 1)]]
  `,
  "the repr of a result": "import time\nclass Slow:\n    def __repr__(self): time.sleep(60); return ''\nSlow()",
  "a rich display": py`
    import time
    class Slow:
        def _repr_html_(self): time.sleep(60)
    display(Slow())
  `,
  "an import": py`
    import pathlib, sys
    pathlib.Path("slow_module.py").write_text("import time; time.sleep(60)")
    sys.path.insert(0, "")
    import slow_module
  `,
  "a socket without a writer": "import socket\na, b = socket.socketpair()\na.recv(1)",
  "sorting with a slow key": "sorted(range(10**6), key=lambda x: [x for _ in range(1000)])",
};
