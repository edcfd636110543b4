"""A process that forks and ends every few milliseconds, for at most twenty seconds; each writes its number into a file."""

import os
import sys
import time

path, pause = sys.argv[1], float(sys.argv[2])
end = time.time() + 20
if os.fork() == 0:
    os.setsid()
    while time.time() < end:
        time.sleep(pause)
        if os.fork() != 0:
            os._exit(0)
        with open(path, "w") as file:
            file.write(str(os.getpid()))
