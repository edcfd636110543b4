"""Real text/html of pandas."""

import json

import pandas as pd

frame = pd.DataFrame({"user_id": [1, 2], "a|b": ["x|y", "*starred*"], "note": ["<b>", "one\ntwo"]})
rows = pd.MultiIndex.from_product([["a", "b"], ["x", "y"]], names=["outer", "inner"])
columns = pd.MultiIndex.from_tuples([("price", "mean"), ("price", "max"), ("count", "")])
multi = pd.DataFrame([[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]], index=rows, columns=columns)

print(
    json.dumps(
        {
            "frame": frame._repr_html_(),
            "indexed": frame.set_index("user_id")[["note"]]._repr_html_(),
            "multi": multi._repr_html_(),
            "styler": multi.style.highlight_max().set_caption("Prices")._repr_html_(),
            "long": pd.DataFrame({"n": range(1000)}).to_html(),
            "wide": pd.DataFrame([range(100)]).to_html(index=False),
            "truncated": pd.DataFrame({"n": range(1000)})._repr_html_(),
        }
    )
)
