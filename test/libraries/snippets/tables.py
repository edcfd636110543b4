# %% pandas
import pandas as pd
df = pd.DataFrame({"city": ["Rome", "Oslo", "Rome"], "n": [1, 2, 3]})
print(df.groupby("city").n.sum())
df
# %% polars
import polars as pl
df = pl.DataFrame({"a": [1, 2, 3], "b": ["x", "y", None]})
print(df.schema)
df.filter(pl.col("a") > 1)
# %% pyarrow
import pyarrow as pa
table = pa.table({"a": [1, 2], "b": ["x", "y"]})
table
# %% duckdb
import duckdb
duckdb.sql("SELECT 42 AS answer, 'x' AS b")
# %% sqlalchemy
import sqlalchemy as sa
engine = sa.create_engine("sqlite://")
with engine.connect() as connection:
    print(connection.execute(sa.text("SELECT 1 AS a")).mappings().all())
sa.select(sa.literal(1))
# %% dask
import dask, dask.dataframe as dd, pandas as pd
df = dd.from_pandas(pd.DataFrame({"a": range(4)}), npartitions=2)
print(df.a.sum().compute(scheduler="synchronous"))
dask.delayed(sum)([1, 2]).compute(scheduler="synchronous")
# %% xarray
import numpy as np, xarray as xr
array = xr.DataArray(np.arange(4).reshape(2, 2), dims=("x", "y"), name="v")
print(array.sum("x").values)
array
# %% narwhals
import narwhals as nw, pandas as pd
nw.from_native(pd.DataFrame({"a": [1, 2]})).with_columns(b=nw.col("a") * 2).to_native()
# %% ibis-framework
import ibis
ibis.options.interactive = False
table = ibis.table({"a": "int64"}, name="t")
table.a.sum()
# %% tabulate
from tabulate import tabulate
rows = [["a", 1], ["b", 2]]
print(tabulate(rows, headers=["name", "n"]))
tabulate(rows, tablefmt="html")
# %% prettytable
from prettytable import PrettyTable
table = PrettyTable(["a", "b"])
table.add_row([1, 2])
table
# %% great_tables
import pandas as pd
from great_tables import GT
GT(pd.DataFrame({"a": [1, 2]}), id="one").tab_header("Title")
# %% itables
# ignore: data-quarto.*|id="[^"]*"|#itables_\w+|itables_\w+
import itables, pandas as pd
itables.init_notebook_mode(connected=True)
pd.DataFrame({"a": [1, 2]})
# %% openpyxl
import io, openpyxl
book = openpyxl.Workbook()
book.active["A1"] = 42
book.save(io.BytesIO())
book.active["A1"].value, book.sheetnames
# %% xlsxwriter
import io, xlsxwriter
out = io.BytesIO()
with xlsxwriter.Workbook(out) as book:
    book.add_worksheet().write(0, 0, "hello")
out.getvalue()[:2]
# %% h5py
import h5py, io
with h5py.File(io.BytesIO(), "w") as file:
    print(file.create_dataset("a", data=[1, 2, 3]))
    print(file)
# %% netCDF4
import netCDF4
with netCDF4.Dataset("memory.nc", "w", memory=1024) as data:
    data.createDimension("x", 2)
    print(data.dimensions["x"])
# %% zarr
# ignore: memory://\d+
import zarr
array = zarr.zeros((4, 4), chunks=(2, 2), dtype="i4")
array[0] = 1
array
# %% tables
import tables, tempfile, os
with tables.open_file(os.path.join(tempfile.mkdtemp(), "a.h5"), "w") as file:
    print(repr(file.create_array("/", "a", [1, 2, 3])))
# %% geopandas
import geopandas as gpd
from shapely.geometry import Point
gpd.GeoDataFrame({"n": ["a"]}, geometry=[Point(1, 2)], crs="EPSG:4326")
# %% shapely
from shapely import Polygon
square = Polygon([(0, 0), (1, 0), (1, 1), (0, 1)])
print(square.area)
square
