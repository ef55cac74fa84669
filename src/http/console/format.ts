const NUMBER = new Intl.NumberFormat("en-US");
const DAY = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
});
const MOMENT = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

export function formatCredits(value: number): string {
  return `${NUMBER.format(value)} ${value === 1 ? "credit" : "credits"}`;
}

/** Pages have no script, so the reader's time zone is not known: UTC, and it says so. */
export function formatMoment(at: Date): string {
  return `${MOMENT.format(at)} UTC`;
}

export function formatDay(at: Date): string {
  return DAY.format(at);
}

/** Rounded up: whoever waits that long need not wait again. */
export function formatMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}
