"""Granary's shell, with the attributes and methods of IPython's shell that programs use."""

from __future__ import annotations

import sys

from .. import magics
from ..cells import compiling, execute
from .answers import Answers
from .custom_exceptions import CustomExceptions
from .display import DisplayFormatter, DisplayPublisher
from .events import EventManager, ExecutionInfo, ExecutionResult
from .extensions import ExtensionManager
from .files import Files
from .history import HistoryManager
from .kernel import Kernel, message_of
from .magic_access import MagicAccess, MagicsManager
from .settings import Config, as_expected
from .tracebacks import Tracebacks


class Hooks:
    """Members that IPython's own code uses."""

    def show_in_pager(self, data, start=0, screen_lines=0) -> None:
        magics.show_page(data if isinstance(data, str) else data.get("text/plain", ""))


class TransformerManager:
    """The lists that libraries add their transformers to; Granary has one for all."""

    def __init__(self, shell) -> None:
        self.cleanup_transforms = self.line_transforms = compiling.source_transformers
        self.transform_cell = shell.transform_cell

    def check_complete(self, cell: str) -> tuple:
        """`("complete", None)`, `("invalid", None)`, or `("incomplete", 4)` with the indentation of the next line."""
        from .completeness import completeness

        found = completeness(cell)
        return found["status"], len(found["indent"]) if "indent" in found else None


class Compiler:
    """Keeps the flags of `from __future__ import …`."""

    def reset_compiler_flags(self) -> None:
        compiling.forget_futures()


class GranaryShell(MagicAccess, Answers, Files, CustomExceptions):
    """Runs code in the user's namespace, as a cell does."""

    autoindent = automagic = False
    colors = "nocolor"
    ast_node_interactivity = "last_expr"
    last_execution_succeeded = True
    last_execution_result = None
    _next_input: tuple = ()

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
        self.InteractiveTB = Tracebacks()
        self.configurables: list = []
        self._hidden: set = set()
        self.db: dict = {}  # of this session only: %store keeps values longer
        self.input_transformers_cleanup = self.input_transformers_post = compiling.source_transformers
        self.ast_transformers = compiling.tree_transformers
        self.input_transformer_manager = TransformerManager(self)
        self.compile = Compiler()

    def __repr__(self) -> str:
        return "<Granary's shell: %d cells>" % self.execution_count

    @property
    def config(self):
        """Settings, by section. None of them marks this as a Jupyter kernel."""
        self._config = as_expected(self._config)
        return self._config

    @property
    def user_ns(self) -> dict:
        """The user's globals."""
        return execute.namespace()

    user_global_ns = user_ns

    @property
    def user_ns_hidden(self) -> dict:
        """The user's names that %who omits."""
        return {name: value for name, value in self.user_ns.items() if name.startswith("_") or name in self._hidden}

    @property
    def user_module(self):
        return sys.modules["__main__"]

    @property
    def execution_count(self) -> int:
        return execute.count()

    def has_trait(self, name: str) -> bool:
        """Whether the shell has this attribute: libraries check `kernel` to detect a shell without a prompt."""
        return hasattr(self, name)

    def run_cell(self, raw_cell, store_history=False, silent=False, shell_futures=True, cell_id=None, cell_meta=None) -> ExecutionResult:
        """Run source as a cell within this one. Prints its exception, and keeps it in the result."""
        from .running import run_cell

        return run_cell(self, ExecutionInfo(raw_cell, store_history and not silent, silent, cell_id, cell_meta))

    async def run_cell_async(self, raw_cell, store_history=False, silent=False, shell_futures=True, *, transformed_cell=None,
                             preprocessing_exc_tuple=None, cell_id=None, cell_meta=None) -> ExecutionResult:
        """`run_cell` for a caller that awaits."""
        from .running import run_cell_async

        return await run_cell_async(self, ExecutionInfo(raw_cell, store_history and not silent, silent, cell_id, cell_meta))

    def should_run_async(self, raw_cell, *, transformed_cell=None, preprocessing_exc_tuple=None) -> bool:
        """Whether the cell awaits."""
        try:
            return compiling.compile_cell(raw_cell, execute.current_file()).awaits
        except Exception:
            return False

    def ev(self, expr):
        """The value of an expression."""
        return eval(expr, self.user_ns)

    def ex(self, cmd) -> None:
        """Run statements."""
        exec(compile(cmd, execute.current_file(), "exec", dont_inherit=True), self.user_ns)

    def push(self, variables, interactive=True) -> None:
        """Define names: `{"x": 1}`, or names of the caller's variables; %who lists interactive ones."""
        if not isinstance(variables, dict):
            caller = sys._getframe(1)
            names = variables.split() if isinstance(variables, str) else variables
            variables = {name: eval(name, caller.f_globals, caller.f_locals) for name in names}
        self.user_ns.update(variables)
        for name in variables:
            (self._hidden.discard if interactive else self._hidden.add)(name)

    def drop_by_id(self, variables: dict) -> None:
        """Delete names that still have these values."""
        for name, value in variables.items():
            if self.user_ns.get(name) is value:
                del self.user_ns[name]
                self._hidden.discard(name)

    def system(self, cmd) -> None:
        """The same as `!cmd`."""
        magics.system(cmd)

    system_raw = system_piped = system

    def getoutput(self, cmd, split=True, depth=0):
        """The value of `x = !cmd`: lines, or with split=False one text."""
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
        """The completed text, and its matches."""
        line = text if line is None else line
        cursor_pos = len(line) if cursor_pos is None else cursor_pos
        found = self.kernel.do_complete(line, cursor_pos)
        return line[found["cursor_start"] : found["cursor_end"]], found["matches"]

    def showtraceback(self, exc_tuple=None, filename=None, tb_offset=None, exception_only=False, running_compiled_code=False):
        """Print an exception, by default the current one, to stderr."""
        from ..cells.errors import print_exception

        error = (exc_tuple or sys.exc_info())[1] or getattr(sys, "last_value", None)
        if self._is_handling:
            return
        if error is None:
            print("No traceback available to show.", file=sys.stderr)
        elif exception_only:
            print("%s: %s" % (type(error).__name__, error), file=sys.stderr)
        else:
            print_exception(error)

    def showsyntaxerror(self, filename=None, running_compiled_code=False) -> None:
        self.showtraceback()

    def set_next_input(self, text, replace=False) -> None:
        """Prints the text, once for each cell: the runner cannot add a cell below this one."""
        if self._next_input != (self.execution_count, text):
            self._next_input = (self.execution_count, text)
            print("# for the next cell:\n" + text)

    def get_parent(self) -> dict:
        """The message of Jupyter's that started this cell; empty if none did."""
        header = execute.parent_header()
        return message_of(header) if header else {}

    @property
    def parent_header(self) -> dict:
        return self.get_parent()

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
        """Delete every name."""
        self.run_line_magic("reset", "--aggressive" if aggressive else "")

    def instance(self, *args, **kwargs):
        return self

    def get_local_scope(self, stack_depth) -> dict:
        return sys._getframe(stack_depth + 1).f_locals
