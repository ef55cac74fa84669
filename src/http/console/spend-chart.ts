import type { DayUsage } from "../../usage/index.ts";
import { formatNumber } from "./format.ts";
import { type Html, html } from "./html.ts";

const HEIGHT = 48;
const STEP = 10;
const BAR_WIDTH = 7;
/** A day without spend keeps a mark, so that the days can be counted. */
const LOWEST_BAR = 1;

/** A bar per day, drawn by attributes alone: the content policy allows no inline style. */
export function spendChart(days: readonly DayUsage[]): Html {
  const highest = Math.max(1, ...days.map((day) => day.credits_charged));
  const bars = days.map((day, index) => {
    const height = Math.max(LOWEST_BAR, Math.round((day.credits_charged / highest) * HEIGHT));
    return html`<rect x="${index * STEP}" y="${HEIGHT - height}" width="${BAR_WIDTH}" height="${height}" rx="1"><title>${day.date}: ${formatNumber(day.credits_charged)}</title></rect>`;
  });
  const label = `Credits spent on each of the last ${days.length} days, at most ${formatNumber(highest)} on one`;
  return html`<svg class="chart" role="img" aria-label="${label}" viewBox="0 0 ${days.length * STEP} ${HEIGHT}" preserveAspectRatio="none">${bars}</svg>`;
}
