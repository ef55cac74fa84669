/** Conversations as the estimator sees them: words, digits and runs of other scripts, with their exact tokens. */
import { AFTER, BEFORE, CLASS_OF, DIGIT, FOREIGN } from "../compaction/src/tokens/character-class.ts";
import { endOfRun } from "../compaction/src/tokens/token-runs.ts";
import { BEGINS } from "../compaction/src/tokens/token-words.ts";
import { type Conversation, textsOf } from "./efficiency-corpus.ts";
import { tokenStarts } from "./exact-tokens.ts";

/** How often a piece of text occurs in a conversation, and the total of tokens that begin in it. */
export type Seen = { count: number; tokens: number };

export type Sample = {
  readonly source: string;
  readonly group: string;
  readonly texts: readonly string[];
  exactTokens: number;
  /** Counted apart, since digits always cost the same. */
  digitTokens: number;
  readonly words: Map<string, Seen>;
  /** A run of another script, with the one mark or blank before it. */
  readonly runs: Map<string, Seen>;
};

export function samplesOf(corpus: readonly Conversation[]): Sample[] {
  return corpus.map(sampleOf).filter(({ exactTokens }) => exactTokens > 0);
}

function sampleOf({ source, group, messages }: Conversation): Sample {
  const texts = messages.flatMap(textsOf);
  const words = new Map<string, Seen>();
  const runs = new Map<string, Seen>();
  const sample: Sample = { source, group, texts, exactTokens: 0, digitTokens: 0, words, runs };
  for (const text of texts) addText(sample, text);
  return sample;
}

function addText(sample: Sample, text: string): void {
  const starts = tokenStarts(text);
  const tokensIn = (from: number, to: number) => {
    let tokens = 0;
    for (let at = from; at < to; at++) tokens += starts[at] ?? 0;
    return tokens;
  };
  sample.exactTokens += tokensIn(0, text.length);
  for (const { kind, start, end } of piecesOf(text)) {
    if (kind === DIGIT) sample.digitTokens += tokensIn(start, end);
    else note(kind === FOREIGN ? sample.runs : sample.words, text.slice(start, end), tokensIn(start, end));
  }
}

function note(seen: Map<string, Seen>, piece: string, tokens: number): void {
  const known = seen.get(piece);
  if (known === undefined) seen.set(piece, { count: 1, tokens });
  else {
    known.count++;
    known.tokens += tokens;
  }
}

type Piece = { readonly kind: number; readonly start: number; readonly end: number };

/** Splits like `estimateTokens`, in text order and without its optimizations. */
function* piecesOf(text: string): Iterable<Piece> {
  let context = (BEFORE << 4) | BEFORE;
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const kind = classAt(text, at);
    if (kind >= DIGIT) {
      const end = endOfRun(text, at, kind);
      const isOpened = kind === FOREIGN && at - start === 1;
      if (!isOpened && at > start) yield { kind: BEFORE, start, end: at };
      yield { kind, start: isOpened ? start : at, end };
      start = end;
      at = end;
      context = (BEFORE << 4) | BEFORE;
      continue;
    }
    context = ((context << 4) | kind) & 0xfff;
    if (BEGINS[(context << 4) | classAt(text, at + 1)] !== 0 && at > start) {
      yield { kind: BEFORE, start, end: at };
      start = at;
    }
    at++;
  }
  if (at > start) yield { kind: BEFORE, start, end: at };
}

function classAt(text: string, at: number): number {
  return at < text.length ? (CLASS_OF[text.charCodeAt(at)] ?? AFTER) : AFTER;
}
