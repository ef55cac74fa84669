import type { SpokenLine } from "../../contract/index.ts";
import { MAX_SPOKEN_TURNS } from "../../contract/index.ts";
import { invalid } from "../../kit/index.ts";
import { namesOf } from "../fields/media-fields.ts";

/** A line of a script; a null name continues the speaker of the line before. */
type ScriptLine = {
  readonly name: string | null;
  /** The line without the name. */
  readonly text: string;
  readonly whole: string;
};

const MAX_NAME_CHARACTERS = 40;
const LETTER = /^\p{L}/u;

/** Reads `Name: text`, line by line. A time of day, a URL or a long clause before a colon is not a name. */
function readScript(text: string): readonly ScriptLine[] {
  return text.split(/\r\n?|\n/).map(readLine);
}

function readLine(whole: string): ScriptLine {
  const line = whole.trim();
  const colon = line.slice(0, MAX_NAME_CHARACTERS + 2).indexOf(":");
  const name = line.slice(0, Math.max(colon, 0)).trim();
  const after = line.slice(colon + 1);
  const isName = colon > 0 && name.length <= MAX_NAME_CHARACTERS && LETTER.test(name);
  if (!isName || (after !== "" && !/^\s/.test(after))) return { name: null, text: line, whole };
  return { name, text: after.trim(), whole };
}

type Cast = {
  readonly prompt: string;
  /** Reads the text before the first name; null leaves the voice to the provider. */
  readonly voice: string | null;
  readonly speakers: readonly string[];
  /** All voices of the model. */
  readonly voices: readonly string[];
};

/**
 * Splits the prompt by the voices that read it. Without speakers it is one piece. With them, a line `Name: text` is
 * read by that name's voice, and so are the lines after it without a name; a name that has no voice is read as text.
 */
export function spokenLines(cast: Cast): readonly SpokenLine[] {
  const { prompt, voice, speakers } = cast;
  if (speakers.length === 0) return [{ voice, text: prompt.trim() }];
  const script = readScript(prompt);
  const voiceOf = voicesByName(cast, script);
  let speaking = voice ?? (voiceOf.size === 0 ? firstVoice(cast) : null);
  const turns: { readonly voice: string | null; readonly texts: string[] }[] = [];
  for (const line of script) {
    const own = line.name === null ? undefined : voiceOf.get(keyOf(line.name));
    const text = own === undefined ? line.whole.trim() : line.text;
    speaking = own ?? speaking;
    if (text === "") continue;
    const last = turns.at(-1);
    if (last?.voice === speaking) last.texts.push(text);
    else turns.push({ voice: speaking, texts: [text] });
  }
  if (turns.length === 0) throw invalid("prompt", "must have text besides the names of its speakers");
  if (turns.length > MAX_SPOKEN_TURNS)
    throw invalid("prompt", `must change its speaker at most ${MAX_SPOKEN_TURNS} times`);
  return turns.map(({ voice: own, texts }) => ({ voice: own, text: texts.join("\n") }));
}

const NOBODY = "must name a speaker: no line of the prompt begins with this name";
const SECOND = "must not give a second voice to a name";

/** Names are case-insensitive. */
function keyOf(name: string): string {
  return name.toLowerCase();
}

/**
 * Assigns voices to names. An entry is `Name=voice`, a voice, or a name from the script. A voice with the name of a
 * speaker goes to that one; the other voices go to the remaining names in the order in which they first speak.
 */
function voicesByName(cast: Cast, script: readonly ScriptLine[]): ReadonlyMap<string, string> {
  const names = new Set(script.flatMap(({ name }) => (name === null ? [] : [keyOf(name)])));
  const bound = new Map<string, string>();
  const free: string[] = [];
  const unvoiced: string[] = [];
  for (const [at, entry] of cast.speakers.entries()) {
    const { name, voice } = readEntry(entry, at, cast, names);
    if (voice === null) unvoiced.push(name);
    else if (name === "") free.push(voice);
    else if (!names.has(name)) throw invalid(`speakers[${at}]`, NOBODY);
    else if ((bound.get(name) ?? voice) !== voice) throw invalid(`speakers[${at}]`, SECOND);
    else bound.set(name, voice);
  }
  for (const name of names) {
    if (bound.has(name) || unvoiced.includes(name)) continue;
    const voice = free.shift();
    if (voice === undefined) break;
    bound.set(name, voice);
  }
  giveVoices(
    unvoiced.filter((name) => !bound.has(name)),
    bound,
    cast.voices,
  );
  return bound;
}

/** An empty name: the voice is for any speaker. A null voice: the speaker gets any, if possible one not in use. */
function readEntry(entry: string, at: number, { voices }: Cast, names: ReadonlySet<string>) {
  const key = keyOf(entry.trim());
  if (voices.includes(entry)) return { name: names.has(key) ? key : "", voice: entry };
  if (names.has(key)) return { name: key, voice: null };
  const sign = entry.indexOf("=");
  const name = keyOf(entry.slice(0, Math.max(sign, 0)).trim());
  const voice = entry.slice(sign + 1).trim();
  if (name !== "" && voices.includes(voice)) return { name, voice };
  throw invalid(
    `speakers[${at}]`,
    `must be a voice, Name=voice, or a name that the prompt uses as \`Name: text\`; the voices of this model are ${namesOf(voices)}`,
  );
}

/** Assigns the model's voices in order, those in use last. */
function giveVoices(names: readonly string[], bound: Map<string, string>, voices: readonly string[]): void {
  const used = new Set(bound.values());
  const order = [...voices.filter((voice) => !used.has(voice)), ...voices];
  for (const [at, name] of names.entries()) {
    const voice = order[at % order.length];
    if (voice !== undefined) bound.set(name, voice);
  }
}

/** The first voice among `speakers`; it reads a prompt in which no line names a speaker with a voice. */
function firstVoice({ speakers, voices }: Cast): string | null {
  return speakers.find((entry) => voices.includes(entry)) ?? null;
}
