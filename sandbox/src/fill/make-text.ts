import { DAY_MS } from "../../../gateway/src/kit/index.ts";
import { pickOne } from "../random.ts";
import { clip } from "../words.ts";
import type { Filling, Place } from "./filling.ts";
import { listIn, numberOf, type Schema } from "./schema-node.ts";

const WORDS = ["amber", "birch", "cobalt", "delta", "ember", "fjord", "grove", "harbour"] as const;
/** No real schema means a longer text by its minimum length. */
const MAX_MADE_CHARACTERS = 10_000;
/** Texts tried of each kind: one for each letter and digit, at least. */
const MAX_TRIED = 48;

/** Properties that ask for an answer, or for what was asked. */
const SAID =
  /(?:answer|reply|response|message|summary|text|content|output|result|query|question|prompt|input)$/i;
/** What the usual examples of tools and forms ask for. */
const USUAL: Readonly<Record<string, string>> = {
  city: "Paris",
  location: "Paris",
  place: "Paris",
  country: "France",
  language: "English",
  currency: "EUR",
  name: "Ada Lovelace",
  title: "From the sandbox",
};

/** Fixed dates and addresses: the sandbox has no clock, and reserved names reach nobody. */
const FIRST_DAY = Date.UTC(2026, 0, 15);
const MOST_DAYS = 1_000_000;
const dayOf = (at: number) => new Date(FIRST_DAY + (at % MOST_DAYS) * DAY_MS).toISOString().slice(0, 10);
const timeOf = (at: number) => new Date(FIRST_DAY + DAY_MS / 2 + at * 1000).toISOString().slice(11, 19);
const hex = (value: number, digits = 1) => value.toString(16).padStart(digits, "0");
const counted = (at: number) => (at === 0 ? "" : String(at + 1));

/** A text of each format; those that `a` may be appended to can have any length. */
const FORMATS: Readonly<Record<string, (at: number) => string>> = {
  date: dayOf,
  "date-time": (at) => `${dayOf(at)}T12:00:00Z`,
  time: (at) => `${timeOf(at)}Z`,
  duration: (at) => `PT${at + 1}H`,
  email: (at) => `sandbox${counted(at)}@example.com`,
  hostname: (at) => `sandbox${counted(at)}.example.com`,
  ipv4: (at) => `192.0.2.${1 + (at % 254)}`,
  ipv6: (at) => `2001:db8::${hex(at + 1)}`,
  uri: (at) => `https://example.com/sandbox${counted(at)}`,
  uuid: (at) => `00000000-0000-4000-8000-${hex(at, 12)}`,
  byte: (at) => Buffer.from(`sandbox${counted(at)}`).toString("base64"),
  "json-pointer": (at) => `/sandbox${counted(at)}`,
  "relative-json-pointer": (at) => `0/sandbox${counted(at)}`,
  regex: (at) => `^sandbox${counted(at)}$`,
};
const SAME: Readonly<Record<string, string>> = {
  "idn-email": "email",
  "idn-hostname": "hostname",
  iri: "uri",
  url: "uri",
  "uri-reference": "uri",
  "iri-reference": "uri",
  "uri-template": "uri",
};
const EXTENDED = new Set(["email", "hostname", "uri", "json-pointer", "relative-json-pointer"]);

/** Texts of the schema's format, of its patterns, or of words; each of about the right length. */
export function* textsOf(filling: Filling, node: Schema, { name, from }: Place): Generator<string> {
  const { patterns, random, reader } = filling;
  const min = Math.min(Math.max(0, numberOf(node, "minLength", 0)), MAX_MADE_CHARACTERS);
  const max = Math.max(min, numberOf(node, "maxLength", Number.POSITIVE_INFINITY));
  const { format } = node;
  const kind = typeof format === "string" ? (SAME[format] ?? format) : "";
  const ofFormat = Object.hasOwn(FORMATS, kind) ? FORMATS[kind] : undefined;
  const shapes = listIn(node, "patterns").map(String);
  reader.effort.left -= min / 2;
  const tried = shapes.length > 0 ? 1 : MAX_TRIED / 4;
  for (let at = from; ofFormat !== undefined && at < from + tried; at++) {
    yield EXTENDED.has(kind) ? ofFormat(at).padEnd(min, "a") : ofFormat(at);
  }
  for (const shape of shapes) {
    const isRight = (text: string) =>
      shapes.every((other) => other === shape || patterns.matches(other, text));
    for (const text of patterns.texts(shape, { min, max }, random)) if (isRight(text)) yield text;
  }
  const usual = SAID.test(name) ? filling.said : USUAL[name.toLowerCase()];
  if (from === 0 && usual !== undefined && usual !== "") yield clip(usual.padEnd(min, "."), max);
  const word = pickOne(random, WORDS);
  for (let at = from; at < from + MAX_TRIED; at++) {
    const text = `sandbox ${word}${at === 0 ? "" : ` ${at + 1}`}`;
    if (text.length <= max || at === 0) yield text.slice(0, max).padEnd(min, ".");
    else yield at.toString(36).slice(-max).padEnd(min, ".");
  }
}
