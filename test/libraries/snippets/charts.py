# %% matplotlib
import matplotlib.pyplot as plt
fig, ax = plt.subplots(figsize=(2, 1))
ax.plot([1, 2, 3])
# %% seaborn
import pandas as pd, seaborn as sns
sns.barplot(pd.DataFrame({"a": ["x", "y"], "b": [1, 2]}), x="a", y="b")
# %% plotly
# differs: the figure is the result of its cell; plotly displays it in Jupyter, and the cell has no result
import plotly.graph_objects as go
figure = go.Figure(go.Bar(x=["a", "b"], y=[1, 2]))
figure
# %% altair
# differs: the chart carries its specification beside the HTML
import altair as alt, pandas as pd
chart = alt.Chart(pd.DataFrame({"a": [1], "b": [2]})).mark_point().encode(x="a", y="b")
chart
# %% bokeh
# differs: show() displays the plot; in Jupyter, without output_notebook(), it writes a file and opens a browser
from bokeh.plotting import figure, show
plot = figure(width=200, height=200)
plot.line([1, 2], [3, 4])
show(plot)
# %% holoviews
import holoviews as hv
hv.extension("bokeh")
curve = hv.Curve([(0, 1), (1, 2)])
curve
# %% panel
import panel as pn
pn.extension()
print(pn.Row("a", pn.pane.Markdown("**b**")))
# %% hvplot
import pandas as pd, hvplot.pandas
print(pd.DataFrame({"a": [1, 2]}).hvplot.line())
# %% plotnine
import pandas as pd
from plotnine import aes, geom_point, ggplot
ggplot(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), aes("a", "b")) + geom_point()
# %% folium
# ignore: \w+_[0-9a-f]{32}|[A-Za-z0-9+/=]{200,}|srcdoc="[^"]*"
import folium
m = folium.Map(location=[0, 0], zoom_start=2)
m
# %% graphviz
import graphviz
graph = graphviz.Digraph()
graph.edge("a", "b")
print(graph.source)
# %% pydeck
import pydeck as pdk
deck = pdk.Deck(layers=[pdk.Layer("ScatterplotLayer", data=[{"p": [0, 0]}], get_position="p")])
sorted(__import__("json").loads(deck.to_json()))
# %% pyvis
from pyvis.network import Network
net = Network()
net.add_nodes([1, 2])
net.add_edge(1, 2)
net
# %% vega_datasets
from vega_datasets import data
data.cars().head(2)
# %% wordcloud
from wordcloud import WordCloud
sorted(WordCloud(random_state=1).process_text("tea tea milk").items())
# %% missingno
import missingno, pandas as pd
missingno.bar(pd.DataFrame({"a": [1, None]}), figsize=(2, 1));
# %% bqplot
import bqplot
bqplot.LinearScale().min is None
# %% ipyleaflet
from ipyleaflet import Map
Map(center=(1, 2), zoom=3).center
# %% ipywidgets
import ipywidgets as widgets
slider = widgets.IntSlider(value=3)
slider.observe(lambda change: print("now", change["new"]), names="value")
slider.value = 5
# %% pillow
# differs: one picture; Pillow offers a PNG and a JPEG of it
from PIL import Image
Image.new("RGB", (4, 4), "red")
# %% imageio
import imageio.v3 as iio, numpy as np
len(iio.imwrite("<bytes>", np.zeros((2, 2), "uint8"), extension=".png")) > 0
# %% scikit-image
from skimage import data, filters
filters.sobel(data.checkerboard())[:1, :3]
# %% opencv-python-headless
import cv2, numpy as np
cv2.GaussianBlur(np.eye(3, dtype="float32"), (3, 3), 0).round(3)
