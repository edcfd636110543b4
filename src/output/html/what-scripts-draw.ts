/** By a word in the library's pages; the more specific ones first. */
const drawings: readonly (readonly [word: RegExp, drawing: string])[] = [
  [/plotly/i, "Plotly figure"],
  [/bokeh/i, "Bokeh plot"],
  [/vega/i, "Vega chart"],
  [/leaflet/i, "Leaflet map"],
  [/echarts/i, "ECharts chart"],
  [/highcharts/i, "Highcharts chart"],
  [/pyvis|vis-network/i, "network graph"],
  [/mermaid/i, "Mermaid diagram"],
  [/jupyter-widgets|widget-view/i, "Jupyter widget"],
  [/\bd3(?:\.min)?\.js|d3\.select/i, "D3 drawing"],
];

/** `: Bokeh plot` for HTML with nothing but scripts of a known library, else "". */
export function whatScriptsDraw(html: string): string {
  const drawing = drawings.find(([word]) => word.test(html))?.[1];
  return drawing === undefined ? "" : `: ${drawing}`;
}
