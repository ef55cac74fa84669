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

/** Where there is no room: 12.4K. */
export function shortNumber(value: number): string {
  return SHORT.format(value);
}

/** A plan's name as it stands in sentences, buttons and titles alike, and a pack's where it begins one. */
export function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

const LARGE = 10_000_000;

/** Whole as long as a small place holds it: 9,876,543, but 12.3M. */
export function figure(value: number): string {
  return Math.abs(value) < LARGE ? number(value) : shortNumber(value);
}

/** The same of what can be spent: never more than there is. */
export function balanceFigure(value: number): string {
  return Math.abs(value) < LARGE ? number(value) : SHORT_DOWN.format(value);
}

export function credits(value: number): string {
  return `${number(value)} ${Math.abs(value) === 1 ? "credit" : "credits"}`;
}

export function counted(value: number, one: string): string {
  return `${number(value)} ${one}${value === 1 ? "" : "s"}`;
}

/** Of a moment, by the reader's own clock. */
export function day(iso: string): string {
  return DAY.format(new Date(iso));
}

/** Of what is summed up by days, the same for everybody; whoever shows one says beside it that it is UTC. */
export function reportDay(date: string): string {
  return REPORT_DAY.format(new Date(date));
}

/** Whole, with the zone of the clock that it is told by. */
export function moment(iso: string): string {
  const at = new Date(iso);
  return `${MOMENT.format(at)} ${zone(at)}`;
}

/** The reader's own. */
export function zone(at = new Date()): string {
  return ZONE.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** In a list of them: those of today by their time alone. */
export function when(iso: string): string {
  const at = new Date(iso);
  return DAY.format(at) === DAY.format(new Date()) ? TIME.format(at) : MOMENT.format(at);
}

const DAY_SECONDS = 86_400;
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["hour", 3_600],
  ["minute", 60],
];

/** Near ones in words, far ones by their day. */
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

/** Tomorrow is a day of the reader's calendar, which clocks that are put forward or back make shorter or longer. */
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
