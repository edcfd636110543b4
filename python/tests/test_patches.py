"""Libraries that would open a window, a browser or a terminal show what they have here instead."""

from __future__ import annotations

import base64
import unittest
from importlib.util import find_spec

from .recorded_cell import RecordedCell


def needs(*packages):
    missing = [package for package in packages if find_spec(package) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def kinds(cell):
    """The MIME types of each display, without the text that all have."""
    return [sorted(set(data) - {"text/plain"}) for data in cell.shown]


def plotted(source):
    return RecordedCell(source, having=("matplotlib.pyplot",))


class Getpass(unittest.TestCase):
    def test_a_password_is_asked_of_the_host(self):
        cell = RecordedCell("from getpass import getpass; print(getpass(), getpass('Token: '))")
        self.assertEqual(cell.events, [("ask", "Password: ", True), ("ask", "Token: ", True)])
        self.assertEqual(cell.stdout, "the answer the answer\n")


@needs("matplotlib")
class Matplotlib(unittest.TestCase):
    def test_a_figure_is_shown_at_the_end_of_its_cell(self):
        cell = RecordedCell("import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.figure(); plt.plot([3])")
        self.assertEqual(kinds(cell), [["image/png"], ["image/png"]])
        self.assertEqual(cell.shown[0]["text/plain"], "<Figure size 640x480 with 1 Axes>")
        self.assertEqual(cell.stderr, "")

    def test_figures_are_shown_in_the_formats_that_are_set(self):
        cell = plotted("""
import matplotlib.pyplot as plt
try:
    from matplotlib_inline.backend_inline import set_matplotlib_formats
except ImportError:
    from IPython.display import set_matplotlib_formats
from granary_runner.display import flush_figures
for wanted in (["retina"], ["svg"], ["jpeg"], ["png", "svg"], ["pdf"]):
    set_matplotlib_formats(*wanted)
    plt.figure(figsize=(2, 1)); plt.plot([1, 2])
    flush_figures()
set_matplotlib_formats("jpeg", quality=10)
plt.figure(figsize=(2, 1)); plt.plot([1, 2])
""")
        self.assertEqual(kinds(cell), [
            ["image/png"], ["image/svg+xml"], ["image/jpeg"], ["image/png", "image/svg+xml"], ["application/pdf"], ["image/jpeg"],
        ])
        size = cell.events[0][2]["image/png"]
        self.assertEqual((round(size["width"], -2), round(size["height"], -2)), (200, 100))
        self.assertLess(len(cell.shown[5]["image/jpeg"]), len(cell.shown[2]["image/jpeg"]))

    def test_a_figure_shown_as_svg_appears_once(self):
        cell = plotted("""
import matplotlib.pyplot as plt
from granary_runner.formats.figure_settings import use_formats
from granary_runner.display import display
use_formats("svg")
figure = plt.figure(); plt.plot([1, 2])
display(figure); figure.savefig("saved.png")
""")
        self.assertEqual(kinds(cell), [["image/svg+xml"]])

    def test_show_displays_and_closes_whatever_it_is_told_about_blocking(self):
        cell = plotted("""
import matplotlib.pyplot as plt
for arguments in ({}, {"block": True}):
    plt.plot([1, 2])
    plt.show(**arguments)
    print(plt.get_fignums())
plt.plot([1, 2])
plt.show(block=False)
print(plt.get_fignums())
""")
        self.assertEqual(kinds(cell), [["image/png"]] * 3)
        self.assertEqual(cell.stdout, "[]\n[]\n[1]\n")

    def test_a_figure_shown_by_hand_comes_again_only_if_it_has_changed(self):
        cell = plotted("""
import matplotlib.pyplot as plt
from granary_runner.display import display, flush_figures
figure, axes = plt.subplots()
display(figure)
figure.savefig("a.png", dpi=30)
flush_figures()
print("unchanged")
plt.plot([1])
display(plt.gcf())
plt.title("changed")
""")
        self.assertEqual(kinds(cell), [["image/png"]] * 3)

    def test_fig_show_displays_without_a_warning(self):
        cell = plotted("""
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
figure.show()
from matplotlib.figure import Figure
alone = Figure()
alone.add_subplot()
alone.show()
""")
        self.assertEqual(kinds(cell), [["image/png"], ["image/png"]])
        self.assertEqual(cell.stderr, "")

    def test_an_empty_figure_is_not_worth_a_picture(self):
        cell = plotted("import matplotlib.pyplot as plt; plt.figure(); from granary_runner.display import display; display(plt.gcf())")
        self.assertEqual(cell.shown, [{"text/plain": "<Figure size 640x480 with 0 Axes>"}])

    def test_an_animation_in_a_loop_shows_its_last_step(self):
        cell = plotted("""
import matplotlib.pyplot as plt
for step in range(3):
    plt.plot([step])
    plt.pause(0.001)
""")
        self.assertEqual(kinds(cell), [["image/png"]])

    def test_asking_for_a_window_backend_changes_nothing(self):
        cell = RecordedCell("""
import matplotlib
matplotlib.use("TkAgg")
import matplotlib.pyplot as plt
plt.switch_backend("QtAgg")
matplotlib.use("macosx", force=True)
plt.plot([1])
print(matplotlib.get_backend().lower())
plt.show()
matplotlib.use("svg")
print(matplotlib.get_backend().lower())
""")
        self.assertEqual(cell.stdout, "agg\nsvg\n")
        self.assertEqual(kinds(cell), [["image/png"]])

    def test_a_window_backend_inherited_from_a_desktop_does_no_harm(self):
        cell = RecordedCell("import matplotlib.pyplot as plt; plt.plot([1])", MPLBACKEND="TkAgg")
        self.assertEqual(kinds(cell), [["image/png"]])

    def test_the_traceback_of_a_figure_that_cannot_be_drawn_is_shown(self):
        cell = plotted("import matplotlib.pyplot as plt; plt.title(r'$\\frac{$')")
        self.assertEqual(kinds(cell), [[]])
        self.assertRegex(cell.stderr, r"^Traceback [\s\S]*\nValueError: ")
        self.assertNotIn("granary_runner", cell.stderr)


@needs("pandas")
class Pandas(unittest.TestCase):
    def test_a_frame_is_html_and_text_with_its_columns(self):
        cell = RecordedCell("""
import pandas
from granary_runner.display import display
display(pandas.DataFrame({f"column{number}": [1.5] for number in range(15)}))
""", having=("pandas",))
        self.assertEqual(kinds(cell), [["text/html"]])
        self.assertIn("column7", cell.shown[0]["text/plain"])

    def test_options_that_the_user_sets_count(self):
        cell = RecordedCell("""
import pandas
pandas.set_option("display.max_columns", 2)
print(pandas.DataFrame({"a": [1], "hidden": [2], "c": [3]}))
""", having=("pandas",))
        self.assertNotIn("hidden", cell.stdout)


@needs("PIL")
class Pillow(unittest.TestCase):
    def test_an_image_is_shown_once_as_png(self):
        cell = RecordedCell("""
from PIL import Image
from granary_runner.display import display
image = Image.new("RGB", (4, 4))
image.show()
display(image)
""")
        self.assertEqual(kinds(cell), [["image/png"], ["image/png"]])


@needs("plotly")
class Plotly(unittest.TestCase):
    @staticmethod
    def cell(source):
        return RecordedCell(source, having=("plotly.graph_objects", "plotly.io"))

    RICH = ["application/vnd.plotly.v1+json", "text/html"]

    def test_a_figure_is_displayed_however_it_is_shown(self):
        cell = self.cell("""
import plotly.graph_objects as go, plotly.io as pio
from granary_runner.display import display
figure = go.Figure(data=[go.Scatter(y=[1, float("nan")]), go.Bar(y=[1])], layout={"title": "Sales"})
print(figure.show(), pio.show(figure), pio.show({"data": [{"type": "bar", "y": [1]}]}))
display(figure)
pio.renderers.default = "browser"
figure.show()
figure.show(renderer="notebook")
""")
        self.assertEqual(kinds(cell), [self.RICH] * 6)
        self.assertEqual(cell.stdout, "None None None\n")
        self.assertEqual(cell.shown[0]["text/plain"], "plotly Figure: 2 traces (scatter, bar), title 'Sales'")
        self.assertEqual(cell.shown[0]["application/vnd.plotly.v1+json"]["data"][0]["y"], [1, None])

    @unittest.skipIf(find_spec("kaleido"), "kaleido is installed")
    def test_a_picture_that_plotly_cannot_draw_is_said_and_the_figure_shown_all_the_same(self):
        cell = self.cell("import plotly.graph_objects as go; go.Figure().show(renderer='png')")
        self.assertEqual(kinds(cell), [self.RICH])
        self.assertIn("rendering as png failed", cell.stderr)


    # Only plotly before 6.1 draws with such a kaleido, so both are simulated.
    WITH_KALEIDO = """
import importlib.metadata, plotly.graph_objects as go
real = importlib.metadata.version
importlib.metadata.version = lambda name: {version!r} if name == "kaleido" else real(name)
def to_image(figure, format, **size):
    print("drawn")
    {draw}
original, go.Figure.to_image = go.Figure.to_image, to_image
try: go.Figure().show()
finally: go.Figure.to_image, importlib.metadata.version = original, real
"""

    def test_a_kaleido_with_its_own_renderer_draws_a_picture(self):
        cell = self.cell(self.WITH_KALEIDO.format(version="0.2.1", draw="return b'PNG'"))
        self.assertEqual(kinds(cell), [[*self.RICH[:1], "image/png", *self.RICH[1:]]])

    def test_a_picture_that_fails_hides_nothing(self):
        cell = self.cell(self.WITH_KALEIDO.format(version="0.2.1", draw="raise ValueError('no')"))
        self.assertEqual((kinds(cell), cell.stdout, cell.stderr), ([self.RICH], "drawn\n", ""))

    def test_a_kaleido_that_needs_a_browser_is_not_started(self):
        cell = self.cell(self.WITH_KALEIDO.format(version="1.2.0", draw="return b'PNG'"))
        self.assertEqual((kinds(cell), cell.stdout), ([self.RICH], ""))


@needs("altair", "pandas")
class Altair(unittest.TestCase):
    @staticmethod
    def cell(source):
        return RecordedCell(source, having=("altair", "pandas"))

    CHART = """
import altair, pandas
from granary_runner.display import display
chart = altair.Chart(pandas.DataFrame({"a": [1, 2]})).mark_bar().encode(x="a")
"""

    def test_a_chart_is_displayed_with_its_specification_however_it_is_shown(self):
        cell = self.cell(self.CHART + """
chart.show()
display(chart)
altair.renderers.enable("browser")
chart.show()
""")
        self.assertEqual(len(cell.shown), 3)
        for data in cell.shown:
            specification, html = sorted(set(data) - {"text/plain", "image/png"})
            self.assertRegex(specification, r"^application/vnd\.vegalite\.v\d+[.+]json$")
            self.assertEqual(html, "text/html")
            self.assertIn("$schema", data[specification])
            self.assertEqual(data["text/plain"], "alt.Chart(...)")

    @unittest.skipUnless(find_spec("vl_convert"), "vl-convert is not installed")
    def test_a_chart_comes_as_a_picture_where_vl_convert_is_installed(self):
        cell = self.cell(self.CHART + "chart.show()")
        self.assertEqual(base64.b64decode(cell.shown[0]["image/png"])[:4], b"\x89PNG")
        self.assertIn("text/html", cell.shown[0])

    def test_a_chart_without_vl_convert_or_with_data_at_a_url_has_no_picture(self):
        cell = self.cell(self.CHART + """
altair.Chart("http://127.0.0.1:1/data.json").mark_bar().encode(x="a:Q").show()
import sys
before = sys.modules.get("vl_convert")
sys.modules["vl_convert"] = None
try: chart.show()
finally: sys.modules.pop("vl_convert") if before is None else sys.modules.update(vl_convert=before)
""")
        self.assertEqual(["image/png" in data for data in cell.shown], [False, False])
        self.assertEqual(cell.stderr, "")

    def test_a_renderer_that_the_user_chooses_is_used(self):
        cell = self.cell(self.CHART + "altair.renderers.enable('json'); chart.show()")
        self.assertEqual(kinds(cell), [["application/json"]])


@needs("IPython")
class RealIPython(unittest.TestCase):
    def test_its_display_functions_go_through_ours(self):
        cell = RecordedCell("""
from IPython.display import HTML, Pretty, clear_output, display, display_markdown, publish_display_data, update_display
handle = display(HTML("<b>"), display_id="here")
handle.update(Pretty("text"))
update_display(3, display_id="here")
display_markdown("*m*", raw=True)
publish_display_data({"text/plain": "p"})
clear_output(wait=True)
""")
        self.assertEqual(cell.events, [
            ("display", {"text/html": "<b>", "text/plain": "<IPython.core.display.HTML object>"}, {}, "here", False),
            ("display", {"text/plain": "text"}, {}, "here", True),
            ("display", {"text/plain": "3"}, {}, "here", True),
            ("display", {"text/markdown": "*m*"}, {}, None, False),
            ("display", {"text/plain": "p"}, {}, None, False),
            ("clear", True),
        ])
        self.assertEqual((cell.stdout, cell.stderr), ("", ""))

    def test_its_objects_show_what_they_hold(self):
        cell = RecordedCell("""
from IPython.display import JSON, Image, Markdown, display
display(Image(b"\\x89PNG", format="png", width=5), JSON({"a": float("nan")}), Markdown("*m*"))
""")
        self.assertEqual(kinds(cell), [["image/png"], ["application/json"], ["text/markdown"]])
        self.assertEqual(cell.shown[0]["image/png"].strip(), "iVBORw==")
        self.assertEqual(cell.shown[1]["application/json"], {"a": None})

    def test_it_is_the_real_one(self):
        cell = RecordedCell("import IPython; print(IPython.__file__ is not None, IPython.get_ipython())")
        self.assertEqual(cell.stdout, "True <Granary's shell: 0 cells>\n")

    @needs("matplotlib_inline", "matplotlib")
    def test_settings_of_the_inline_backend_start_no_shell_of_ipythons(self):
        cell = RecordedCell("""
from matplotlib_inline.backend_inline import set_matplotlib_formats
set_matplotlib_formats("retina")
from IPython.core.interactiveshell import InteractiveShell
print(InteractiveShell.initialized())
""")
        self.assertEqual(cell.stdout, "False\n")


@needs("tqdm")
class Tqdm(unittest.TestCase):
    def test_every_kind_of_bar_is_text_on_stderr(self):
        for module in ("tqdm", "tqdm.auto", "tqdm.autonotebook", "tqdm.notebook"):
            cell = RecordedCell(f"""
import warnings
warnings.simplefilter("error")
from {module} import tqdm, trange
print(sum(tqdm([1, 2], desc="adding")) + sum(trange(3)))
""")
            self.assertEqual((cell.stdout, cell.shown), ("6\n", []), module)
            self.assertIn("adding: 100%", cell.stderr, module)

    def test_what_only_the_widget_understands_is_accepted(self):
        cell = RecordedCell("from tqdm.notebook import tqdm; print(list(tqdm([1], display=False, ncols='100%')))")
        self.assertEqual(cell.stdout, "[1]\n")


class Distributed(unittest.TestCase):
    def test_its_progress_takes_the_shell_for_no_kernel_with_a_browser(self):
        cell = RecordedCell("""
import os
os.mkdir("distributed")
open("distributed/__init__.py", "w").close()
with open("distributed/utils.py", "w") as file:
    file.write("from IPython import get_ipython\\ndef is_kernel(): return getattr(get_ipython(), 'kernel', None) is not None\\n")
import distributed.utils
print(distributed.utils.is_kernel())
""")
        self.assertEqual(cell.stdout, "False\n")


@needs("rich")
class Rich(unittest.TestCase):
    def test_rich_shows_html_as_in_a_notebook_and_its_progress_is_plain_text(self):
        cell = RecordedCell("""
import rich
from rich.progress import track
from rich.table import Table
from granary_runner.display import display
rich.print("[bold]hello[/bold]")
for step in track([1, 2], description="working"):
    pass
print("after")
rich.print("[red]again[/red]")
table = Table("name")
table.add_row("value")
display(table)
""")
        self.assertIn("working", cell.stdout)
        self.assertTrue(cell.stdout.endswith("\nafter\n"), cell.stdout)
        self.assertNotIn("\x1b", cell.stdout)
        self.assertEqual(cell.stderr, "")
        first, *_, again, table = cell.shown  # between them, how far `track` is
        self.assertTrue(all("text/html" in shown for shown in (first, again, table)))
        self.assertIn("font-weight: bold", first["text/html"])
        self.assertEqual(again["text/plain"], "\x1b[31magain\x1b[0m\n")
        self.assertIn("value", table["text/plain"])

    def test_progress_of_rich_is_told_while_it_runs_and_when_it_ends(self):
        cell = RecordedCell("""
from rich.progress import Progress
with Progress(auto_refresh=False) as progress:
    task = progress.add_task("[red]unpack[/red]", total=8)
    progress.advance(task, 2)
    progress.update(task, completed=8)
""")
        mime = "application/x-granary-status"
        told = [event[1][mime] for event in cell.events if event[0] == "display"]
        self.assertEqual([(each["title"], each["done"], each["total"], each["state"]) for each in told],
                         [("unpack", 2, 8, "running"), ("unpack", 8, 8, "finished")])
        self.assertEqual(len({each["id"] for each in told}), 1)

    def test_rich_is_as_wide_as_the_terminal_that_is_known(self):
        cell = RecordedCell("from rich.console import Console\nprint(Console().width)", COLUMNS="57")
        self.assertEqual(cell.stdout, "57\n")


if __name__ == "__main__":
    unittest.main()
