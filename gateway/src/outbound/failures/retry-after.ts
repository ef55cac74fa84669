/** No client is asked to wait longer; a provider that asks for more is not believed. */
const MAX_SECONDS = 60;
/** Numbers this large are a point in time, in seconds or milliseconds, not a duration. */
const EPOCH_SECONDS = 1_000_000_000;
const EPOCH_MS = 1_000_000_000_000;

type HeaderReader = { get(name: string): string | null };

/** Seconds (0 to 60) that a provider asks us to wait, in any of the ways providers express it; null if it does not. */
export function retryAfterSecondsOf(
  headers: HeaderReader,
  told: { readonly retryDelay?: string | null; readonly nowMs: number },
): number | null {
  const waits = [
    scaled(headers.get("retry-after-ms"), 1_000),
    waitOf(headers.get("retry-after"), told.nowMs),
    waitOf(told.retryDelay ?? null, told.nowMs),
    waitOf(headers.get("x-ratelimit-reset-requests"), told.nowMs),
    waitOf(headers.get("x-ratelimit-reset"), told.nowMs),
  ];
  const seconds = waits.find((wait) => wait !== null) ?? null;
  return seconds === null ? null : Math.min(MAX_SECONDS, Math.max(0, Math.ceil(seconds)));
}

function scaled(value: string | null, unitsPerSecond: number): number | null {
  const number = value === null || value.trim() === "" ? Number.NaN : Number(value);
  return Number.isNaN(number) ? null : number / unitsPerSecond;
}

/** Accepts seconds, a Unix timestamp, an HTTP date, or a duration such as `6m0s` and `120ms`. */
function waitOf(value: string | null, nowMs: number): number | null {
  if (value === null || value.length > 64) return null;
  const number = scaled(value, 1);
  if (number !== null) {
    if (number >= EPOCH_MS) return (number - nowMs) / 1_000;
    return number >= EPOCH_SECONDS ? number - nowMs / 1_000 : number;
  }
  const duration = durationOf(value.trim());
  if (duration !== null) return duration;
  const dateMs = Date.parse(value);
  return Number.isNaN(dateMs) ? null : (dateMs - nowMs) / 1_000;
}

function durationOf(value: string): number | null {
  const match =
    /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$/.exec(
      value,
    );
  if (match === null || value === "") return null;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0] = match;
  return (
    Number(days) * 86_400 +
    Number(hours) * 3_600 +
    Number(minutes) * 60 +
    Number(seconds) +
    Number(ms) / 1_000
  );
}
