import { isIPv4, isIPv6 } from "node:net";

/** No real value of a format is longer; our expressions never run on more. */
const MAX_CHECKED_CHARACTERS = 20_000;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const ISO_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const DURATION = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;
const LABEL = /^[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/;
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const URI_CHARACTERS = /^(?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})*$/i;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  "date-time": (text) => isMoment(text, TIME),
  "iso-date-time": (text) => isMoment(text, ISO_TIME),
  time: (text) => TIME.test(text),
  "iso-time": (text) => ISO_TIME.test(text),
  duration: (text) => DURATION.test(text),
  email: isEmail,
  "idn-email": isEmail,
  hostname: isHostname,
  "idn-hostname": isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  uri: isUri,
  url: isUri,
  iri: isUri,
  "uri-reference": (text) => URI_CHARACTERS.test(text),
  "iri-reference": (text) => URI_CHARACTERS.test(text),
  uuid: (text) => UUID.test(text),
  byte: (text) => BASE64.test(text),
  "json-pointer": (text) => POINTER.test(text),
  "relative-json-pointer": (text) => /^(?:0|[1-9]\d*)(?:#|\/.*)?$/.test(text),
};

/** Whether the text is valid in this format; unknown formats accept anything. */
export function fitsFormat(format: string, text: string): boolean {
  const check = Object.hasOwn(CHECKS, format) ? CHECKS[format] : undefined;
  return check === undefined || (text.length <= MAX_CHECKED_CHARACTERS && check(text));
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const last = month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= last;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function isMoment(text: string, time: RegExp): boolean {
  return isDate(text.slice(0, 10)) && /^[Tt ]$/.test(text.charAt(10)) && time.test(text.slice(11));
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => LABEL.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(0, at));
  return (
    local.length <= 64 && LOCAL_PART.test(local) && isHostname(text.slice(at + 1)) && text.includes(".", at)
  );
}

function isUri(text: string): boolean {
  const scheme = /^[A-Za-z][A-Za-z\d+.-]*:/.exec(text)?.[0];
  return scheme !== undefined && scheme.length < text.length && URI_CHARACTERS.test(text);
}
