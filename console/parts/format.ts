const WHOLE = new Intl.NumberFormat("en-US");
const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });

export function number(value: number): string {
  return WHOLE.format(value);
}

/** Where there is no room: 12.4K. */
export function shortNumber(value: number): string {
  return SHORT.format(value);
}

const LARGE = 10_000_000;

/** Whole as long as a small place holds it: 9,876,543, but 12.3M. */
export function figure(value: number): string {
  return value < LARGE ? number(value) : shortNumber(value);
}

export function credits(value: number): string {
  return `${number(value)} ${Math.abs(value) === 1 ? "credit" : "credits"}`;
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export function day(iso: string): string {
  return DAY.format(new Date(iso));
}

export function moment(iso: string): string {
  return MOMENT.format(new Date(iso));
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** Near ones in words, far ones by their day. */
export function ago(iso: string, nowMs = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - nowMs) / 1000);
  if (Math.abs(seconds) > 14 * 86_400) return day(iso);
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step
    ? AGO.format(Math.trunc(seconds / step[1]), step[0])
    : seconds <= 0
      ? "just now"
      : "in a moment";
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${number(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1_000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(0)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
