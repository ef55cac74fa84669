import { pickOne, type Random } from "../random.ts";
import { shortened } from "../words.ts";
import { answerArithmetic } from "./arithmetic.ts";
import { answerListing } from "./listing.ts";
import { firstWords, stretchToWords } from "./long-text.ts";
import { answerRepeat } from "./repeat.ts";
import { answerSmallTalk } from "./small-talk.ts";
import { answerStarter } from "./starters.ts";
import { answerSummary } from "./summary.ts";

/** `topic` describes the request for the reasoning; `text` is the answer, which always names the sandbox. */
export type Answer = {
  readonly topic: string;
  readonly text: string;
  /** Small talk or an apology, with no content about what was asked. */
  readonly isTalk: boolean;
};

/** How much of a prompt the rules read, so that a huge one costs no more than a long one. */
const MAX_READ_CHARACTERS = 20_000;
const MAX_QUOTED_CHARACTERS = 120;
const MAX_WORDS = 5000;
const MAX_NAMED_ATTACHMENTS = 8;

type Rule = {
  readonly topic: string;
  readonly isTalk?: true;
  answer(text: string, random: Random): string | null;
};

/** From the clearest request to the vaguest. */
const RULES: readonly Rule[] = [
  { topic: "an example of ours", answer: answerStarter },
  { topic: "something to repeat", answer: answerRepeat },
  { topic: "a summary", answer: answerSummary },
  { topic: "arithmetic", answer: answerArithmetic },
  { topic: "a list", answer: answerListing },
  { topic: "a text of a given length", answer: answerLength },
  { topic: "small talk", isTalk: true, answer: answerSmallTalk },
];

export function answer(prompt: string, attachments: readonly string[], random: Random): Answer {
  const text = prompt.slice(0, MAX_READ_CHARACTERS);
  for (const rule of RULES) {
    const found = rule.answer(text, random);
    if (found === null) continue;
    const { topic, isTalk = false } = rule;
    return { topic, isTalk, text: withAttachments(found, attachments) };
  }
  const admitted = withAttachments(admit(text, random), attachments);
  return { topic: "something that no rule covers", isTalk: true, text: admitted };
}

function answerLength(text: string, random: Random): string | null {
  // "What does a thousand words mean?" does not ask for a text.
  const asked =
    /^(?!\W{0,3}(?:what|why|how|who|when|is|are|does|do|did)\b)[^?]*?\b(\d{1,6})[ -]words?\b/i.exec(
      text,
    )?.[1];
  const words = Math.min(Number(asked ?? 0), MAX_WORDS);
  if (words === 0) return null;
  return firstWords(stretchToWords("A text from the sandbox.", words, random), words);
}

function admit(text: string, random: Random): string {
  if (text === "")
    return "This is Bursar's sandbox. There is nothing to answer in your message; ask me for a sum, a summary or a list.";
  const quote = shortened(text.replace(/\s+/g, " "), MAX_QUOTED_CHARACTERS);
  return pickOne(random, [
    `This is Bursar's sandbox, not a language model. You wrote: “${quote}” I can do sums, summaries and lists; a configured provider can do the rest.`,
    `The sandbox read your message (“${quote}”), but answers like this one are scripted. Try a sum, a summary or a list, or configure a provider.`,
    `You asked the sandbox: “${quote}” A real model would think about that. I am a script, so I only confirm that your call works from end to end.`,
  ]);
}

function withAttachments(text: string, attachments: readonly string[]): string {
  if (attachments.length === 0) return text;
  const named = attachments.slice(0, MAX_NAMED_ATTACHMENTS);
  const more = attachments.length - named.length;
  const names = more > 0 ? [...named, `${more} more`] : named;
  return `${text} (Received: ${names.join(", ")}; the sandbox does not look inside.)`;
}
