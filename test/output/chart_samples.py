"""Bundles of real plotly and altair figures, as a notebook's kernel would send them."""

import json

import altair as alt
import pandas as pd
import plotly.graph_objects as go

figure = go.Figure([go.Scatter(x=[1, 2], y=[3, 4]), go.Bar(x=[1, 2], y=[3, 4])])
figure.update_layout(title="Sales", xaxis_title="day", yaxis_title="kg")
rows = pd.DataFrame({"day": [1, 2, 3], "kg": [4, 5, 6]})
chart = alt.Chart(rows, title="Harvest").mark_bar().encode(x="day:Q", y="mean(kg):Q")

print(
    json.dumps(
        {
            "plotly": {
                "application/vnd.plotly.v1+json": json.loads(figure.to_json()),
                "text/html": figure.to_html(full_html=False, include_plotlyjs="cdn"),
            },
            "script": {"text/html": figure.to_html(full_html=False, include_plotlyjs="cdn")},
            "altair": {"application/vnd.vegalite.v6+json": chart.to_dict()},
            "layered": {"application/vnd.vegalite.v6+json": (chart + chart.mark_line()).to_dict()},
        }
    )
)
