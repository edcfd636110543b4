"""The helpers that a Python session has without an import: `docs/prelude.md` is the manual.

This file travels to the kernel as text and is compiled at its start, so it has only names, parameters and
documentation. The implementation is in the other files, which are compiled at the first call of a helper.
"""

__all__ = ("bash", "read_file", "write_file", "find_files", "search_files", "progress", "tool", "ToolError")


def bash(command, *, check=False, timeout=None, cwd=None, env=None, input=None):
    """Run a shell command and return its result.

    bash("git log --oneline | head -5")       as the last expression: shows the output
    bash("git rev-parse HEAD").stdout.strip() the output as text; also .stderr, .output (both), .lines
    bash("make test").exit_code               0 is success; .ok says the same
    bash("make", check=True)                  raises subprocess.CalledProcessError unless it succeeds
    bash("./slow", timeout=60)                after 60 seconds ends it and raises subprocess.TimeoutExpired
    bash("sort", input="b\\na\\n")              the command's stdin; empty by default

    Runs in bash with your login profile, or with your shell's aliases and functions if the host has recorded them.
    env has changes to the environment; None removes a variable. The result keeps up to 32 MB of each stream, and
    shows nothing while the command runs. An interrupt ends the command and all its children.
    """
    from .shell import bash

    return bash(command, check=check, timeout=timeout, cwd=cwd, env=env, input=input)


def read_file(path, lines=None, *, encoding="utf-8"):
    """The text of a file, exactly as stored.

    read_file("setup.cfg")
    read_file("big.log", (100, 120))      lines 100 to 120, counted from 1
    read_file("big.log", (100, None))     from line 100 to the end
    """
    from .files import read_file

    return read_file(path, lines, encoding)


def write_file(path, content, *, encoding="utf-8"):
    """Write text or bytes into a file, exactly as given; makes missing folders.

    A concurrent reader sees the old content or the new, never a part. An existing file keeps its
    permissions, a symbolic link stays one.
    """
    from .files import write_file

    write_file(path, content, encoding)


def find_files(pattern="*", folder=".", *, limit=1000):
    """Paths of the files below a folder, as a list.

    find_files("*.py")                    by name, at any depth
    find_files("src/**/*.{ts,tsx}")       by path
    find_files("*.md", "docs")            below another folder

    Skips .git, node_modules, virtual environments and caches. Stops at limit paths; .complete
    says whether that was all.
    """
    from .finding import find_files

    return find_files(pattern, folder, limit)


def search_files(pattern, folder=".", files="*", *, ignore_case=False, limit=200):
    """Lines that match a regular expression, in the files below a folder (or in one file), as a list.

    search_files(r"def main")             each match has .path, .line (counted from 1) and .text
    search_files("todo", "src", "*.py", ignore_case=True)

    Skips binary files, and the folders that find_files skips. Stops at limit lines; .complete says whether
    that was all.
    """
    from .finding import search_files

    return search_files(pattern, folder, files, ignore_case, limit)


def progress(work, title=None):
    """Report the progress of a long task.

    for row in progress(rows, "Loading"):      over any iterable
        ...
    with progress(1000, "Training") as task:   or counted by your code; None for an unknown end
        task.advance()
        task.advance(10)
    """
    from .progress_report import Progress

    return Progress(work, title)


class ToolError(Exception):
    """A tool call that failed. `code` is the reason, for programs."""

    __module__ = "builtins"  # so that tracebacks omit our module path

    def __init__(self, message, code="failed", tool=None, structured=None):
        super().__init__(message)
        self.code = code
        self.tool = tool
        self.structured = structured or {}

    def __reduce__(self):
        return type(self), (*self.args, self.code, self.tool, self.structured)


class Tools:
    """The host's tools, and a decorator that offers your functions as tools.

    tool.read(path="a.txt")               the tool's answer, as text; .structured and .images have the rest
    await tool.bash(command="make")       in code that awaits; several at once with asyncio.gather
    tool.names()                          the list of tools
    tool.help("read")                     its description and arguments
    tool["odd-name"](x=1)                 for names that Python cannot write

    A failed tool raises ToolError, with .code. An interrupt of the cell cancels the call.

    @tool                                 offers a function to the agent: type hints define its input, the docstring
    def double(x: int) -> int:            is its description
        "Twice as much."
        return 2 * x
    """

    def names(self):
        """The names of the host's tools."""
        from .host_tools import names

        return names()

    def help(self, name=None):
        """Print the descriptions of all tools, or one with its arguments."""
        from .host_tools import describe

        print(describe(name))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        from .host_tools import HostTool

        return HostTool(name)

    def __call__(self, function=None, *, name=None, description=None):
        """Offer a function to the agent: @tool, or @tool(name="…", description="…")."""
        from .python_tools import offer

        if function is None:
            return lambda marked: offer(marked, name, description)
        return offer(function, name, description)

    def __repr__(self):
        return "<the host's tools: tool.names() lists them, help(tool) explains calls>"


tool = Tools()


def install():
    """Into builtins: a variable of the same name wins, and `%reset` removes none of them."""
    import builtins

    for name in __all__:
        setattr(builtins, name, globals()[name])


def remove():
    import builtins

    for name in __all__:
        vars(builtins).pop(name, None)
