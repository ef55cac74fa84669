import { countOf } from "./number-word.ts";

const ASKED = /\b(?:summari[sz]e|summary|sum up(?! [\d$-])|tl;?dr|shorten|key points|gist)\b/i;
/** A mark ends a sentence if white space follows, unless it ends an abbreviation: "Dr. Smith of the U.S. navy". */
const SENTENCE_END =
  /(?<=[.!?]["')\]”’]?)(?<!\b(?:[A-Z]|[A-Z]\.[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Co|No|vs|etc|approx|e\.g|i\.e)\.)\s+|\n+/;
const LENGTH = /\b(\w+)[ -](?:sentences?|points?|bullets?|lines?)\b/i;
const BULLETS = /\bbullet(?:s| points?)\b/i;
const MAX_SENTENCES = 400;
const DEFAULT_LENGTH = 2;
const MAX_LENGTH = 10;
/** Shorter words say little about a text's topic. */
const MIN_TELLING_LETTERS = 4;

/** Picks the sentences with the most frequent words, in their original order; null if no summary is requested. */
export function answerSummary(text: string): string | null {
  const request = ASKED.exec(text);
  if (request === null) return null;
  const source = sourceText(text, request.index);
  const sentences = sentencesOf(source);
  if (sentences.length === 0) return "The sandbox can summarise, but there is no text here to summarise.";
  const length = countOf(LENGTH.exec(text)?.[1] ?? "", MAX_LENGTH) ?? DEFAULT_LENGTH;
  const chosen = telling(sentences, length);
  return BULLETS.test(text.replace(source, ""))
    ? `Sandbox summary:\n${chosen.map((sentence) => `- ${sentence}`).join("\n")}`
    : `Sandbox summary: ${chosen.join(" ")}`;
}

/** The text after the instruction (after its colon, line or sentence); if there is none, the text before it. */
function sourceText(text: string, asked: number): string {
  const after = text.slice(asked).search(/:\s|\n|[.?!]\s/);
  const rest = after < 0 ? "" : text.slice(asked + after + 1).trim();
  if (rest !== "") return rest;
  const endBefore = Math.max(text.lastIndexOf("\n", asked), text.lastIndexOf(". ", asked));
  return endBefore < 0 ? "" : text.slice(0, endBefore + 1).trim();
}

function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const part of text.split(SENTENCE_END)) {
    const sentence = part.trim();
    if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push(sentence);
    if (sentences.length >= MAX_SENTENCES) break;
  }
  return sentences;
}

function telling(sentences: readonly string[], length: number): string[] {
  const words = sentences.map((sentence) =>
    (sentence.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length >= MIN_TELLING_LETTERS),
  );
  const uses = new Map<string, number>();
  for (const word of words.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
  const ranked = words.map((own, at) => {
    const total = own.reduce((sum, word) => sum + (uses.get(word) ?? 0), 0);
    // A text usually opens with its topic, so the first sentence gets a bonus.
    return { at, score: own.length === 0 ? 0 : total / Math.sqrt(own.length) + (at === 0 ? 1 : 0) };
  });
  const best = ranked.sort((a, b) => b.score - a.score || a.at - b.at).slice(0, length);
  return best.sort((a, b) => a.at - b.at).map(({ at }) => sentences[at] ?? "");
}
