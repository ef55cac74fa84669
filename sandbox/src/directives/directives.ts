import type { FinishReason } from "../../../gateway/src/contract/index.ts";
import { MAX_WAIT_MS } from "../wait.ts";
import { readScriptedCall, type ScriptedCall } from "./call-directive.ts";

const MS_OF_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** `250ms`, `3s`, `1.5s`, `2m`; undefined for anything else, and for more than the longest wait. */
function parseWaitMs(text: string): number | undefined {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m)$/.exec(text);
  if (match === null) return undefined;
  const delayMs = Math.round(Number(match[1]) * (MS_OF_UNIT[match[2] ?? ""] ?? Number.NaN));
  return delayMs <= MAX_WAIT_MS ? delayMs : undefined;
}

/** An integer within the bounds, without sign, spaces or leading characters. */
function parseWhole(text: string, low: number, high: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= low && value <= high ? value : undefined;
}

/** What the directives of a prompt ask for, like a payment provider's test cards. */
export type Script = {
  readonly errorStatus: number | null;
  readonly cutAfterWords: number | null;
  /** Spread evenly over the answer, so that a stream is slow from its first word to its last. */
  readonly delayMs: number;
  readonly firstByteMs: number;
  readonly tokens: number | null;
  readonly reportsUsage: boolean;
  readonly finish: FinishReason | null;
  readonly echo: boolean;
  readonly refuses: boolean;
  /** Outputs reasoning even if no effort was requested; `signed` like a provider that requires it back. */
  readonly reasoning: "none" | "plain" | "signed";
  readonly calls: readonly ScriptedCall[];
  /** Generation fails: the provider tries and gives up. */
  readonly fails: boolean;
  /** How long a video stays in progress. */
  readonly processingMs: number;
};

export type DirectiveReading =
  | { readonly outcome: "read"; readonly script: Script; readonly prompt: string }
  | { readonly outcome: "malformed"; readonly written: string; readonly prompt: string };

export const DIRECTIVE_OPEN = "[sandbox:";
export const ECHO_DIRECTIVE = `${DIRECTIVE_OPEN}echo]`;
const MAX_DIRECTIVES = 32;
const MAX_CALLS = 16;
const MAX_VALUE_CHARACTERS = 40;
const MAX_SCRIPTED_WORDS = 10_000;
const MAX_SCRIPTED_TOKENS = 1_000_000;

/** The script of a prompt without directives. */
export const PLAIN_SCRIPT: Script = {
  errorStatus: null,
  cutAfterWords: null,
  delayMs: 0,
  firstByteMs: 0,
  tokens: null,
  reportsUsage: true,
  finish: null,
  echo: false,
  refuses: false,
  reasoning: "none",
  calls: [],
  fails: false,
  processingMs: 0,
};

type Draft = { -readonly [Field in keyof Script]: Script[Field] };

const FINISHES: readonly FinishReason[] = ["stop", "length", "content_filter"];

/** Each returns whether its value was valid; undefined if the directive has no value. */
const SETTERS: ReadonlyMap<string, (draft: Draft, value: string | undefined) => boolean> = new Map([
  ["error", (draft, value = "") => set(draft, "errorStatus", parseWhole(value, 300, 599))],
  ["delay", (draft, value = "") => set(draft, "delayMs", parseWaitMs(value))],
  ["first-byte", (draft, value = "") => set(draft, "firstByteMs", parseWaitMs(value))],
  ["tokens", (draft, value = "") => set(draft, "tokens", parseWhole(value, 1, MAX_SCRIPTED_TOKENS))],
  [
    "finish",
    (draft, value) =>
      set(
        draft,
        "finish",
        FINISHES.find((reason) => reason === value),
      ),
  ],
  ["usage", (draft, value) => set(draft, "reportsUsage", value === "none" ? false : undefined)],
  ["echo", (draft, value) => set(draft, "echo", value === undefined ? true : undefined)],
  ["refusal", (draft, value) => set(draft, "refuses", value === undefined ? true : undefined)],
  ["fail", (draft, value) => set(draft, "fails", value === undefined ? true : undefined)],
  ["processing", (draft, value = "") => set(draft, "processingMs", parseWaitMs(value))],
  [
    "reasoning",
    (draft, value = "plain") =>
      set(draft, "reasoning", value === "plain" || value === "signed" ? value : undefined),
  ],
  [
    "cut",
    (draft, value = "") => {
      const words = value.startsWith("after:") ? value.slice("after:".length) : "";
      return set(draft, "cutAfterWords", parseWhole(words, 0, MAX_SCRIPTED_WORDS));
    },
  ],
]);

/** All directives. A call is parsed separately, since its value may contain brackets. */
export const DIRECTIVE_NAMES: readonly string[] = ["call", ...SETTERS.keys()];

/** A misspelt opening, but only before the name of a directive: "[Sandbox: read-only]" is ordinary text. */
const LIKE_OPENING = new RegExp(`\\[ *sandbox *: *(?:${DIRECTIVE_NAMES.join("|")}) *[=\\]]`, "gi");

function set<Field extends keyof Draft>(
  draft: Draft,
  field: Field,
  value: Draft[Field] | undefined,
): boolean {
  if (value === undefined) return false;
  draft[field] = value;
  return true;
}

/** Removes the directives from the text. Of two of the same kind the later one wins; calls add up. */
export function readDirectives(text: string): DirectiveReading {
  let at = openingFrom(text, 0);
  if (at < 0) return { outcome: "read", script: PLAIN_SCRIPT, prompt: text.trim() };
  const draft: Draft = { ...PLAIN_SCRIPT };
  const calls: ScriptedCall[] = [];
  let prompt = "";
  let copied = 0;
  for (let count = 0; at >= 0; count++) {
    prompt += text.slice(copied, at);
    const end = count < MAX_DIRECTIVES ? readDirective(text, at, draft, calls) : undefined;
    if (end === undefined) return { outcome: "malformed", written: excerpt(text, at), prompt: prompt.trim() };
    copied = end;
    at = openingFrom(text, end);
  }
  prompt += text.slice(copied);
  // Together they wait no longer than a single one may.
  const delayMs = Math.min(draft.delayMs, MAX_WAIT_MS - draft.firstByteMs);
  return { outcome: "read", script: { ...draft, delayMs, calls }, prompt: prompt.trim() };
}

function openingFrom(text: string, start: number): number {
  const exact = text.indexOf(DIRECTIVE_OPEN, start);
  LIKE_OPENING.lastIndex = start;
  const like = LIKE_OPENING.exec(text)?.index ?? -1;
  return exact < 0 || (like >= 0 && like < exact) ? like : exact;
}

function readDirective(text: string, start: number, draft: Draft, calls: ScriptedCall[]): number | undefined {
  if (!text.startsWith(DIRECTIVE_OPEN, start)) return undefined;
  const inside = start + DIRECTIVE_OPEN.length;
  if (text.startsWith("call=", inside)) {
    const read = readScriptedCall(text, inside + "call=".length);
    if (read === undefined || calls.push(read.call) > MAX_CALLS) return undefined;
    return read.end;
  }
  const close = text.slice(inside, inside + MAX_VALUE_CHARACTERS).indexOf("]");
  if (close < 0) return undefined;
  const [name = "", value] = text.slice(inside, inside + close).split("=", 2);
  return SETTERS.get(name)?.(draft, value) ? inside + close + 1 : undefined;
}

/** What the answer quotes: up to the bracket, the end of the line or a limit, whichever comes first. */
function excerpt(text: string, start: number): string {
  const head = text.slice(start, start + 60);
  const stop = head.search(/[\]\n]/);
  return stop < 0 ? head : head.slice(0, head[stop] === "]" ? stop + 1 : stop);
}
