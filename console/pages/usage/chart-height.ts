/** Of the chart and of what stands in its place until it is loaded, so that nothing jumps. */
export const CHART_HEIGHT = 260;
