const WHOLE = new Intl.NumberFormat("en-US");
const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const SHORT_DOWN = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
  roundingMode: "floor",
});
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const REPORT_DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const ZONE = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" });
const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });

export function number(value: number): string {
  return WHOLE.format(value);
}

/** For narrow places: 12.4K. */
export function shortNumber(value: number): string {
  return SHORT.format(value);
}

/** Capitalises the name of a plan, and that of a pack at the beginning of a sentence. */
export function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

const LARGE = 10_000_000;

/** In full as long as it fits a small place: 9,876,543, but 12.3M. */
export function figure(value: number): string {
  return Math.abs(value) < LARGE ? number(value) : shortNumber(value);
}

/** The same for balances: rounded down, so that it never shows more than there is. */
export function balanceFigure(value: number): string {
  return Math.abs(value) < LARGE ? number(value) : SHORT_DOWN.format(value);
}

export function credits(value: number): string {
  return `${number(value)} ${Math.abs(value) === 1 ? "credit" : "credits"}`;
}

export function counted(value: number, one: string): string {
  return `${number(value)} ${one}${value === 1 ? "" : "s"}`;
}

/** The date of a moment in the user's time zone. */
export function day(iso: string): string {
  return DAY.format(new Date(iso));
}

/** A date of reports, which are by UTC days for everybody; callers must say beside it that it is UTC. */
export function reportDay(date: string): string {
  return REPORT_DAY.format(new Date(date));
}

/** Date and time with the time zone. */
export function moment(iso: string): string {
  const at = new Date(iso);
  return `${MOMENT.format(at)} ${zone(at)}`;
}

/** The user's time zone. */
export function zone(at = new Date()): string {
  return ZONE.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** For lists: only the time if it is today. */
export function when(iso: string): string {
  const at = new Date(iso);
  return DAY.format(at) === DAY.format(new Date()) ? TIME.format(at) : MOMENT.format(at);
}

const DAY_SECONDS = 86_400;
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["hour", 3_600],
  ["minute", 60],
];

/** Near moments relative to now, distant ones as a date. */
export function ago(iso: string): string {
  const at = new Date(iso);
  const now = new Date();
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance > 14 * DAY_SECONDS) return day(iso);
  if (distance >= DAY_SECONDS) return AGO.format(dayNumber(at) - dayNumber(now), "day");
  const step = STEPS.find(([, length]) => distance >= length);
  return step
    ? AGO.format(Math.trunc(seconds / step[1]), step[0])
    : seconds <= 0
      ? "just now"
      : "in a moment";
}

/** Counts calendar days of the user, which are shorter or longer when daylight saving time begins or ends. */
function dayNumber(at: Date): number {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / (DAY_SECONDS * 1000);
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${number(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  const kilobytes = Math.round(size / 1_000);
  if (kilobytes < 1_000) return `${kilobytes} kB`;
  const tenths = Math.round(size / 100_000);
  return tenths < 10_000 ? `${(tenths / 10).toFixed(1)} MB` : `${(size / 1_000_000_000).toFixed(1)} GB`;
}
