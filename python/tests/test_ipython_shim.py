"""Common imports from IPython work without IPython."""

from __future__ import annotations

import io
import os
import tempfile
import unittest
import wave
from base64 import b64decode
from pathlib import Path

from granary_runner.formats import bundle
from granary_runner.ipython_shim.files import FileLink, FileLinks
from granary_runner.ipython_shim.frames import IFrame, YouTubeVideo
from granary_runner.ipython_shim.json_data import JSON, GeoJSON
from granary_runner.ipython_shim.media.audio import Audio
from granary_runner.ipython_shim.media.image import Image
from granary_runner.ipython_shim.media.video import Video
from granary_runner.ipython_shim.text import HTML, SVG, Code, Javascript, Latex, Markdown, Math, Pretty

from .recorded_cell import RecordedCell

PNG = b"\x89PNG\r\n\x1a\n"


class Importing(unittest.TestCase):
    def cell(self, source):
        return RecordedCell(source, site_packages=False)

    def test_the_usual_imports_work(self):
        cell = self.cell("""
import IPython
from IPython import display as module, get_ipython
from IPython.display import (
    HTML, SVG, Audio, Code, DisplayHandle, FileLink, FileLinks, GeoJSON, IFrame, Image, JSON, Javascript, Latex, Markdown,
    Math, Pretty, ProgressBar, Video, YouTubeVideo, clear_output, display, display_html, display_javascript, display_jpeg,
    display_json, display_latex, display_markdown, display_pdf, display_png, display_pretty, display_svg,
    publish_display_data, set_matplotlib_formats, update_display,
)
from IPython.core.display import HTML as same_html, display as same_display
from IPython.core.display_functions import clear_output
from IPython.core.getipython import get_ipython
from IPython.core.interactiveshell import InteractiveShell
from IPython.lib.display import Audio as same_audio
InteractiveShell.ast_node_interactivity = "all"
set_matplotlib_formats("retina")
print(get_ipython(), InteractiveShell.initialized(), IPython.version_info >= (8, 24), IPython.__version__)
print(HTML is same_html is IPython.display.HTML is module.HTML, Audio is same_audio)
""")
        self.assertEqual(cell.stdout, "<Granary's shell: 0 cells> True True 9.0.0+granary\nTrue True\n")

    def test_display_goes_through_our_channel(self):
        cell = self.cell("""
from IPython.display import HTML, Markdown, display, clear_output
handle = display(HTML("<b>bold</b>"), display_id="here")
handle.update(Markdown("*done*"))
clear_output(wait=True)
""")
        plain = "<IPython.core.display.%s object>"
        self.assertEqual(cell.events, [
            ("display", {"text/html": "<b>bold</b>", "text/plain": plain % "HTML"}, {}, "here", False),
            ("display", {"text/markdown": "*done*", "text/plain": plain % "Markdown"}, {}, "here", True),
            ("clear", True),
        ])

    def test_what_is_not_provided_is_missing_as_usual(self):
        cell = self.cell("""
import importlib.util
print(importlib.util.find_spec("IPython.core.debugger"), type(importlib.util.find_spec("IPython").loader).__name__)
for source in ("import IPython.core.debugger", "from IPython import embed"):
    try:
        exec(source)
    except ImportError as error:
        print(type(error).__name__)
""")
        self.assertEqual(cell.stdout, "None GranaryShimLoader\nModuleNotFoundError\nImportError\n")

    def test_a_real_ipython_is_never_shadowed_even_if_it_arrives_later(self):
        cell = self.cell("""
import importlib, importlib.util, sys
from pathlib import Path
from IPython.display import HTML
old = HTML("made before")
Path("later/IPython").mkdir(parents=True)
Path("later/IPython/__init__.py").write_text("real = True")
sys.path.append("later")
importlib.invalidate_caches()  # as %pip does
import IPython
print(IPython.real, importlib.util.find_spec("IPython.display"), old._repr_html_())
""")
        self.assertEqual(cell.stdout, "True None made before\n")

    def test_objects_can_be_pickled(self):
        cell = self.cell("""
import pickle
from IPython.display import HTML
print(pickle.loads(pickle.dumps(HTML("kept"))).data, HTML)
""")
        self.assertEqual(cell.stdout, "kept <class 'IPython.core.display.HTML'>\n")

    def test_a_progress_bar_changes_in_place(self):
        cell = self.cell("""
from IPython.display import ProgressBar
for step in ProgressBar(2):
    print(step)
""")
        self.assertEqual(cell.stdout, "0\n1\n")
        texts = [data["text/plain"] for data in cell.shown]
        self.assertEqual([text[-3:] for text in texts], ["0/2", "1/2", "2/2"])
        self.assertEqual([event[4] for event in cell.events], [False, True, True])


class Objects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content=b""):
        path = self.folder / name
        path.write_bytes(content)
        return str(path)

    def test_text_objects_have_their_type(self):
        cases = [
            (HTML("<p>"), {"text/html": "<p>"}),
            (Markdown("*m*"), {"text/markdown": "*m*"}),
            (Latex("$x$"), {"text/latex": "$x$"}),
            (Math("$x^2$"), {"text/latex": "$\\displaystyle x^2$"}),
            (SVG("<?xml version='1.0'?><svg/>"), {"image/svg+xml": "<svg/>"}),
            (SVG(b"<svg/>"), {"image/svg+xml": "<svg/>"}),
            (Javascript("alert(1)"), {"application/javascript": "alert(1)"}),
        ]
        for obj, expected in cases:
            data, _ = bundle(obj)
            self.assertEqual(data.pop("text/plain"), repr(obj))
            self.assertEqual(data, expected)

    def test_pretty_and_code_are_their_text(self):
        self.assertEqual(bundle(Pretty("a\nb")), ({"text/plain": "a\nb"}, {}))
        self.assertEqual(bundle(Code("a < b"))[0], {"text/plain": "a < b", "text/html": "<pre><code>a &lt; b</code></pre>"})

    def test_text_is_read_from_a_file_by_name_or_path(self):
        name = self.file("page.html", "<p>é</p>".encode())
        for page in (HTML(name), HTML(filename=name), HTML(Path(name))):
            self.assertEqual(page.data, "<p>é</p>")

    def test_a_url_is_linked_and_not_fetched(self):
        self.assertEqual(bundle(HTML("https://example.org/?a&b"))[0]["text/html"],
                         '<a href="https://example.org/?a&amp;b">https://example.org/?a&amp;b</a>')

    def test_text_objects_want_text(self):
        with self.assertRaisesRegex(TypeError, "HTML expects text, not 3"):
            HTML(3)

    def test_json_takes_values_strings_and_files(self):
        name = self.file("data.json", b'{"a": [1]}')
        for obj in (JSON({"a": [1]}), JSON('{"a": [1]}'), JSON(filename=name), JSON(name)):
            data, metadata = bundle(obj)
            self.assertEqual(data["application/json"], {"a": [1]})
            self.assertEqual(metadata, {"application/json": {"expanded": False, "root": "root"}})
        self.assertIn("application/geo+json", bundle(GeoJSON({"type": "Point"}))[0])

    def test_an_image_knows_its_format_from_its_bytes(self):
        cases = [(PNG, "image/png"), (b"\xff\xd8\xff\xe0", "image/jpeg"), (b"GIF89a", "image/gif")]
        for content, mime in cases:
            self.assertIn(mime, bundle(Image(content))[0])
            self.assertIn(mime, bundle(Image(self.file("picture", content)))[0])
        self.assertEqual(b64decode(bundle(Image(PNG))[0]["image/png"]), PNG)

    def test_an_image_has_size_and_format_as_given(self):
        data, metadata = bundle(Image(b"whatever", format="jpg", width=10, height=20, alt="dots"))
        self.assertEqual(set(data), {"image/jpeg", "text/plain"})
        self.assertEqual(metadata, {"image/jpeg": {"width": 10, "height": 20, "alt": "dots"}})

    def test_an_image_at_a_url_is_linked(self):
        for image in (Image(url="https://example.org/a.png", width=5), Image("https://example.org/a.png", width=5)):
            self.assertEqual(bundle(image)[0]["text/html"], '<img src="https://example.org/a.png" width="5"/>')

    def test_an_image_that_cannot_be_shown_says_why(self):
        with self.assertRaises(FileNotFoundError):
            Image("missing.png")
        with self.assertRaisesRegex(ValueError, "SVG"):
            Image(self.file("a.svg", b"<svg/>"))
        with self.assertRaises(ValueError):
            Image()

    def test_sound_is_made_from_samples(self):
        html = bundle(Audio([[0, 0.5, -1], [0, 0, 0]], rate=8000))[0]["text/html"]
        content = b64decode(html.split("base64,")[1].split('"')[0])
        with wave.open(io.BytesIO(content)) as sound:
            self.assertEqual((sound.getnchannels(), sound.getframerate(), sound.getnframes()), (2, 8000, 3))
        with self.assertRaisesRegex(ValueError, "rate"):
            Audio([0, 1])

    def test_sound_and_film_come_from_files_and_urls(self):
        self.assertIn("audio/mpeg;base64,", bundle(Audio(self.file("a.mp3", b"x")))[0]["text/html"])
        self.assertIn('src="https://example.org/a.mp3"', bundle(Audio(url="https://example.org/a.mp3"))[0]["text/html"])
        self.assertIn('src="film.mp4" controls width="9"', bundle(Video(filename="film.mp4", width=9))[0]["text/html"])
        self.assertIn("video/mp4;base64,", bundle(Video(self.file("a.mp4", b"x"), embed=True))[0]["text/html"])

    def test_sound_at_an_address_is_fetched_where_it_is_to_be_embedded(self):
        address = Path(self.file("a.wav", b"x")).as_uri()
        self.assertIn("base64,eA==", bundle(Audio(url=address, embed=True))[0]["text/html"])
        self.assertIn(f'src="{address}"', bundle(Audio(url=address))[0]["text/html"])

    def test_sound_and_film_say_what_they_cannot_show(self):
        for make, problem in (
            (lambda: Audio(b"x", embed=False), "Expecting url when embed=False"),
            (lambda: Audio("missing.wav"), "rate must be specified"),
            (lambda: Video("missing.mp4"), "embed=True"),
            (lambda: Video(b"x"), "embed=True"),
        ):
            with self.assertRaisesRegex(ValueError, problem):
                make()

    def test_a_film_may_be_base64_already_or_a_path(self):
        self.assertIn("data:video/webm;base64,eA==", bundle(Video("eA==\n", embed=True, mimetype="video/webm"))[0]["text/html"])
        path = Path(self.file("a.mp4", b"x"))
        self.assertIn(f'src="{path}"', bundle(Video(path))[0]["text/html"])

    def test_text_cannot_leave_the_attribute_it_is_in(self):
        evil = '"><script>'
        for made in (
            IFrame(evil, evil, evil, a=evil), YouTubeVideo(evil), Audio(url="https://x/" + evil, element_id=evil),
            Video(url="https://x/" + evil, width=evil, height=evil), Video(evil, embed=True, mimetype=evil),
        ):
            self.assertNotIn("<script>", bundle(made)[0]["text/html"], made)

    def test_a_subclass_may_have_another_frame(self):
        class Own(IFrame):
            iframe = "<own src='{src}{params}' {extras}>"

        self.assertEqual(Own("s", 1, 2, extras=("a", "b"))._repr_html_(), "<own src='s' a b>")
        self.assertIn("autoplay=1", YouTubeVideo("x", allow_autoplay=True)._repr_html_())
        self.assertIn('allow="autoplay"', YouTubeVideo("x", allow_autoplay=True)._repr_html_())

    def test_pages_are_framed(self):
        self.assertIn('src="https://example.org?a=1"', bundle(IFrame("https://example.org", 1, 2, a=1))[0]["text/html"])
        self.assertIn("youtube.com/embed/xyz", bundle(YouTubeVideo("xyz"))[0]["text/html"])

    def test_files_are_linked(self):
        name = self.file("a b.txt")
        data, _ = bundle(FileLink(name))
        self.assertEqual(data["text/plain"], os.path.abspath(name))
        self.assertIn("a%20b.txt", data["text/html"])
        self.assertIn("doesn't exist", bundle(FileLink("missing"))[0]["text/html"])
        self.assertIn(">a b.txt</a>", bundle(FileLinks(self.folder))[0]["text/html"])
        with self.assertRaises(ValueError):
            FileLink(self.folder)


if __name__ == "__main__":
    unittest.main()
