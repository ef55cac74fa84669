import { DAY_MS } from "../../../gateway/src/kit/index.ts";

/** Texts of one format: number `at`, with `extra` more characters than necessary. */
type FormatTexts = {
  readonly usual: (at: number, extra: number) => string;
  /** For small length limits. */
  readonly short?: (at: number) => string;
};

/** Fixed dates and addresses: the sandbox has no clock, and reserved names reach nobody. */
export const SANDBOX_YEAR = 2026;
const FIRST_DAY = Date.UTC(SANDBOX_YEAR, 0, 15);
/** Days and addresses repeat after this many. */
const MOST_DAYS = 1_000_000;
const MOST_HOSTS = 254;
const LABEL_CHARACTERS = 60;

const EMAIL: FormatTexts = {
  usual: (at, extra) => `sandbox${counted(at)}@${labels(extra)}example.com`,
  short: (at) => `${at.toString(36)}@a.co`,
};
const HOST: FormatTexts = {
  usual: (at, extra) => `sandbox${counted(at)}.${labels(extra)}example.com`,
  short: (at) => `h${counted(at)}`,
};
const URI: FormatTexts = {
  usual: (at, extra) => `https://example.com/sandbox${counted(at)}${path(extra)}`,
  short: (at) => `u:${at.toString(36)}`,
};

const MOMENT: FormatTexts = { usual: (at, extra) => `${day(at)}T12:00:00${fraction(extra)}Z` };
const TIME: FormatTexts = { usual: (at, extra) => `${timeOfDay(at)}${fraction(extra)}Z` };

const FORMATS: Readonly<Record<string, FormatTexts>> = {
  date: { usual: (at) => day(at) },
  "date-time": MOMENT,
  "iso-date-time": MOMENT,
  time: TIME,
  "iso-time": TIME,
  duration: { usual: (at, extra) => `PT${at + 1}${"0".repeat(extra)}H` },
  email: EMAIL,
  "idn-email": EMAIL,
  hostname: HOST,
  "idn-hostname": HOST,
  ipv4: {
    usual: (at, extra) =>
      extra > 0 ? `192.168.100.${100 + (at % 100)}` : `192.0.2.${1 + (at % MOST_HOSTS)}`,
    short: (at) => `1.1.1.${at % 10}`,
  },
  ipv6: {
    usual: (at, extra) =>
      extra > 0 ? `2001:0db8:0000:0000:0000:0000:0000:${hex(at + 1, 4)}` : `2001:db8::${hex(at + 1)}`,
    short: (at) => `::${hex(at + 1)}`,
  },
  uri: URI,
  url: URI,
  iri: URI,
  "uri-reference": { ...URI, short: (at) => at.toString(36) },
  "iri-reference": { ...URI, short: (at) => at.toString(36) },
  "uri-template": URI,
  uuid: { usual: (at) => `00000000-0000-4000-8000-${hex(at, 12)}` },
  byte: {
    usual: (at, extra) => base64(`sandbox${counted(at)}${".".repeat(extra)}`),
    short: (at) => base64(String.fromCharCode(at % 256)),
  },
  "json-pointer": { usual: (at, extra) => `/sandbox${counted(at)}${path(extra)}`, short: (at) => `/${at}` },
  "relative-json-pointer": { usual: (at, extra) => `0/sandbox${counted(at)}${path(extra)}`, short: String },
  regex: { usual: (at, extra) => `^sandbox${counted(at)}${"a".repeat(extra)}$`, short: String },
};

/** Texts of the format from number `from` on, of the given length if possible; none if the format is unknown. */
export function* textsOfFormat(
  format: string,
  length: { readonly min: number; readonly max: number },
  from: number,
): Generator<string> {
  const texts = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (texts === undefined) return;
  for (let at = from; at < from + MAX_TRIED; at++) {
    const usual = texts.usual(at, 0);
    const missing = length.min - usual.length;
    const tried = missing > 0 ? [missing, missing + 1].map((extra) => texts.usual(at, extra)) : [usual];
    const short = usual.length > length.max ? [texts.short?.(at) ?? usual] : [];
    yield* [...tried, ...short].filter((text) => text.length >= length.min && text.length <= length.max);
  }
}

const MAX_TRIED = 16;

function counted(at: number): string {
  return at === 0 ? "" : String(at + 1);
}

function base64(text: string): string {
  return Buffer.from(text, "latin1").toString("base64");
}

function hex(value: number, digits = 1): string {
  return value.toString(16).padStart(digits, "0");
}

function day(at: number): string {
  return new Date(FIRST_DAY + (at % MOST_DAYS) * DAY_MS).toISOString().slice(0, 10);
}

function timeOfDay(at: number): string {
  return new Date(FIRST_DAY + DAY_MS / 2 + at * 1000).toISOString().slice(11, 19);
}

function fraction(extra: number): string {
  return extra === 0 ? "" : `.${"0".repeat(Math.max(1, extra - 1))}`;
}

function path(extra: number): string {
  return extra === 0 ? "" : `/${"a".repeat(extra - 1)}`;
}

/** Labels for a host name with this many characters in total, dots included. */
function labels(extra: number): string {
  let text = "";
  for (let left = extra; left > 1; ) {
    // A single character is too short for a label with its dot, so the label before it is one shorter.
    const size = Math.min(left, left - LABEL_CHARACTERS === 1 ? LABEL_CHARACTERS - 1 : LABEL_CHARACTERS);
    text += `${"a".repeat(size - 1)}.`;
    left -= size;
  }
  return text;
}
