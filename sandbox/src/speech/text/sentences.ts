import { MAX_UTTERANCE_CHARACTERS } from "../flite.ts";

/** Text that is synthesized at once, and the silence after it. */
export type SpokenSentence = { readonly text: string; readonly pauseMs: number };

const PAUSE_MS = { sentence: 300, question: 340, colon: 220, paragraph: 620, breath: 90 } as const;
/** Longer sentences lose their melody, so they are split at a comma or between words. */
const COMFORTABLE_CHARACTERS = 220;

/** In order. Long sentences are split into pieces of bounded length. */
export function splitSentences(text: string): SpokenSentence[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    // Lines of a poem or a list end without punctuation; in merely wrapped text, the next line begins in lower case.
    const marked = paragraph.replace(/([A-Za-z'])\n(?=[A-Z])/g, "$1,\n");
    const sentences = marked.match(/[^.!?:;]+[.!?:;]*/g) ?? [];
    const spoken = sentences.flatMap((sentence) => piecesOf(sentence.replace(/\s+/g, " ").trim()));
    return spoken.map((piece, at) =>
      at === spoken.length - 1 ? { ...piece, pauseMs: PAUSE_MS.paragraph } : piece,
    );
  });
}

function piecesOf(sentence: string): SpokenSentence[] {
  const pieces: SpokenSentence[] = [];
  let rest = sentence;
  while (rest.length > COMFORTABLE_CHARACTERS) {
    const cut = cutOf(rest);
    pieces.push({ text: rest.slice(0, cut).trim(), pauseMs: PAUSE_MS.breath });
    rest = rest.slice(cut).trim();
  }
  pieces.push({ text: rest, pauseMs: pauseAfter(rest) });
  return pieces.filter(({ text }) => /[a-z0-9]/i.test(text));
}

/** After the last comma that fits, else the last space, else in the middle of an unpronounceable word. */
function cutOf(text: string): number {
  const head = text.slice(0, Math.min(COMFORTABLE_CHARACTERS, MAX_UTTERANCE_CHARACTERS));
  const comma = head.lastIndexOf(", ");
  if (comma > COMFORTABLE_CHARACTERS / 3) return comma + 1;
  const blank = head.lastIndexOf(" ");
  return blank > 0 ? blank : head.length;
}

function pauseAfter(sentence: string): number {
  const last = sentence.at(-1);
  if (last === "?" || last === "!") return PAUSE_MS.question;
  return last === ":" || last === ";" ? PAUSE_MS.colon : PAUSE_MS.sentence;
}
