"""Granary's shell, with the attributes and methods of IPython's that programs use."""

from __future__ import annotations

import sys

from .. import magics
from ..cells import compiling, execute
from .display import DisplayFormatter, DisplayPublisher
from .events import EventManager, ExecutionInfo, ExecutionResult
from .extensions import ExtensionManager
from .history import HistoryManager
from .kernel import Kernel
from .magic_access import MagicAccess, MagicsManager
from .settings import Config, as_expected


class Hooks:
    """What IPython's own code calls on its shell."""

    def show_in_pager(self, data, start=0, screen_lines=0) -> None:
        magics.show_page(data if isinstance(data, str) else data.get("text/plain", ""))


class GranaryShell(MagicAccess):
    """Runs code in the user's namespace, as a cell does."""

    autoindent = automagic = False
    colors = "nocolor"
    ast_node_interactivity = "last_expr"

    def __init__(self) -> None:
        self._config: dict = Config()
        self.hooks = Hooks()
        self.events = EventManager(self)
        self.display_formatter = DisplayFormatter()
        self.display_pub = DisplayPublisher()
        self.history_manager = HistoryManager()
        self.extension_manager = ExtensionManager(self)
        self.magics_manager = MagicsManager(self)
        self.kernel = Kernel(self)
        self.configurables: list = []
        self.db: dict = {}  # of this session only: %store keeps values longer
        self.input_transformers_cleanup = self.input_transformers_post = compiling.source_transformers
        self.ast_transformers = compiling.tree_transformers

    def __repr__(self) -> str:
        return "<Granary's shell: %d cells>" % self.execution_count

    @property
    def config(self):
        """Settings, by section. None of them says that this is a kernel of Jupyter's."""
        self._config = as_expected(self._config)
        return self._config

    @property
    def user_ns(self) -> dict:
        """The user's globals."""
        return execute.namespace()

    user_global_ns = user_ns

    @property
    def user_module(self):
        return sys.modules["__main__"]

    @property
    def execution_count(self) -> int:
        return execute.count()

    def run_cell(self, raw_cell, store_history=False, silent=False, shell_futures=True, cell_id=None) -> ExecutionResult:
        """Run source as part of this cell. What it raises is printed, and kept in the result."""
        info = ExecutionInfo(raw_cell, store_history, silent)
        try:
            return ExecutionResult(info, execute.run_source(raw_cell, None, not silent))
        except Exception as error:
            if not silent:
                self.showtraceback((type(error), error, error.__traceback__))
            return ExecutionResult(info, None, error)

    def ev(self, expr):
        """The value of an expression."""
        return eval(expr, self.user_ns)

    def ex(self, cmd) -> None:
        """Run statements."""
        exec(compile(cmd, execute.current_file(), "exec", dont_inherit=True), self.user_ns)

    def push(self, variables, interactive=True) -> None:
        """Give values names: `{"x": 1}`, or names of the caller's variables."""
        if isinstance(variables, dict):
            self.user_ns.update(variables)
            return
        caller = sys._getframe(1)
        for name in variables.split() if isinstance(variables, str) else variables:
            self.user_ns[name] = eval(name, caller.f_globals, caller.f_locals)

    def drop_by_id(self, variables: dict) -> None:
        """Forget names that still hold these values."""
        for name, value in variables.items():
            if self.user_ns.get(name) is value:
                del self.user_ns[name]

    def system(self, cmd) -> None:
        """What `!cmd` does."""
        magics.system(cmd)

    system_raw = system_piped = system

    def getoutput(self, cmd, split=True, depth=0):
        """What `x = !cmd` gives: lines, or with split=False one text."""
        lines = magics.capture(cmd)
        return lines if split else lines.n

    def var_expand(self, cmd, depth=0, formatter=None) -> str:
        """A text with `{expression}` and `$name` replaced by their values."""
        from ..magics.syntax.expand import expand

        return expand(cmd, self.user_ns)

    def transform_cell(self, raw_cell: str) -> str:
        """A cell as plain Python."""
        from ..cells.transform import rewrite

        try:
            compile(raw_cell, "<cell>", "exec", dont_inherit=True)
        except SyntaxError:
            return rewrite(raw_cell) or raw_cell
        return raw_cell

    def complete(self, text, line=None, cursor_pos=None) -> tuple:
        """The text that is completed, and what it may become."""
        line = text if line is None else line
        cursor_pos = len(line) if cursor_pos is None else cursor_pos
        found = self.kernel.do_complete(line, cursor_pos)
        return line[found["cursor_start"] : found["cursor_end"]], found["matches"]

    def showtraceback(self, exc_tuple=None, filename=None, tb_offset=None, exception_only=False, running_compiled_code=False):
        """Print an exception, by default the one that is being handled, to stderr."""
        from ..cells.errors import print_exception

        error = (exc_tuple or sys.exc_info())[1] or getattr(sys, "last_value", None)
        if error is None:
            print("No traceback available to show.", file=sys.stderr)
        elif exception_only:
            print("%s: %s" % (type(error).__name__, error), file=sys.stderr)
        else:
            print_exception(error)

    def showsyntaxerror(self, filename=None, running_compiled_code=False) -> None:
        self.showtraceback()

    def set_custom_exc(self, exc_tuple, handler) -> None:
        """Warns: exceptions of cells go to the host as they are."""
        import warnings

        warnings.warn("set_custom_exc() has no effect here: exceptions of cells go to the host as they are.", stacklevel=2)

    def set_next_input(self, text, replace=False) -> None:
        """Prints the text: no cell can be put below this one."""
        print("# for the next cell:\n" + text)

    def enable_gui(self, gui=None) -> None:
        """Accepted: there is no window."""

    def enable_matplotlib(self, gui=None) -> tuple:
        """Accepted: figures are shown as pictures."""
        return gui or "inline", "agg"

    def enable_pylab(self, gui=None, import_all=True, welcome_message=False) -> None:
        self.run_line_magic("pylab", "")

    def register_post_execute(self, func) -> None:
        self.events.register("post_execute", func)

    def set_hook(self, name, hook, *args, **kwargs) -> None:
        """Accepted: there are no hooks."""

    def ask_yes_no(self, prompt, default=None, interrupt=None) -> bool:
        answer = input(prompt).strip().lower()
        return (answer or default or "n").startswith("y")

    def reset(self, new_session=True, aggressive=False) -> None:
        """Forget every name."""
        self.run_line_magic("reset", "--aggressive" if aggressive else "")

    def instance(self, *args, **kwargs):
        return self

    def get_local_scope(self, stack_depth) -> dict:
        return sys._getframe(stack_depth + 1).f_locals
