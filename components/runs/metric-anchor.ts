/** Returns the id of a metric's section, which a link of the page's summary leads to. Names are free text. */
export function metricAnchor(name: string): string {
  return `metric-${encodeURIComponent(name)}`;
}

/** Returns the link to a metric's section on the page of its run. */
export function metricHref(name: string): string {
  return `#${metricAnchor(name)}`;
}
