# %% rich
# differs: rich prints text, since a browser is not there to show its HTML
from rich import print as show
from rich.table import Table
table = Table("a", "b")
table.add_row("1", "[red]2[/red]")
show(table)
# %% lxml
from lxml import etree
root = etree.fromstring("<a><b>1</b></a>")
print(etree.tostring(root, pretty_print=True).decode())
root.xpath("//b/text()")
# %% beautifulsoup4
from bs4 import BeautifulSoup
soup = BeautifulSoup("<p>Hi <b>you</b></p>", "html.parser")
soup.b
# %% jinja2
from jinja2 import Template
Template("Hello {{ name }}!").render(name="World")
# %% pyyaml
import yaml
print(yaml.safe_dump({"a": [1, 2]}))
yaml.safe_load("a: [1, 2]")
# %% toml
import toml
toml.loads("a = 1\n[b]\nc = 'x'")
# %% python-dateutil
from dateutil.parser import parse
parse("1 Jan 2020").isoformat()[:10]
# %% pendulum
import pendulum
pendulum.datetime(2020, 1, 1).add(days=1).to_date_string()
# %% arrow
import arrow
arrow.get("2020-01-01").shift(months=1).format("YYYY-MM")
# %% python-docx
import docx
document = docx.Document()
document.add_paragraph("Hello")
[p.text for p in document.paragraphs]
# %% pypdf
import pypdf
writer = pypdf.PdfWriter()
writer.add_blank_page(width=72, height=72)
len(writer.pages), writer.pages[0].mediabox
# %% regex
import regex
regex.findall(r"\p{Lu}\w+", "Anna und Bert")
# %% markdown
import markdown
markdown.markdown("# Title\n\n* one")
# %% rapidfuzz
from rapidfuzz import fuzz, process
print(round(fuzz.ratio("kitten", "sitting"), 2))
process.extractOne("appel", ["apple", "pear"])[0]
# %% faker
from faker import Faker
Faker.seed(1)
Faker().name()
# %% tqdm
# differs: the widget of Jupyter is a text bar here
from tqdm.notebook import tqdm
sum(tqdm(range(3), desc="adding"))
# %% loguru
from loguru import logger
logger.remove()
logger.add(print, format="{level} {message}")
logger.info("hello {}", "you")
# %% structlog
import structlog
structlog.configure(processors=[structlog.processors.KeyValueRenderer(key_order=["event"])])
structlog.get_logger().info("started", n=1)
# %% click
import click
from click.testing import CliRunner
@click.command()
@click.option("--n", default=1)
def main(n): click.echo(f"n is {n}")
CliRunner().invoke(main, ["--n", "3"]).output
# %% typer
import typer
from typer.testing import CliRunner
app = typer.Typer()
@app.command()
def main(name: str): print("Hello", name)
CliRunner().invoke(app, ["you"]).output
# %% nest_asyncio
import asyncio, nest_asyncio
nest_asyncio.apply()
async def answer(): return 42
asyncio.run(answer())
