import { pickOne, type Random } from "../random.ts";
import { shortened } from "../words.ts";
import { answerArithmetic } from "./arithmetic.ts";
import { answerStarter } from "./starters.ts";

/** `topic` describes the request for the reasoning; `text` is the answer, which always names the sandbox. */
export type Answer = { readonly topic: string; readonly text: string };

const MAX_QUOTED_CHARACTERS = 120;
const MAX_NAMED_ATTACHMENTS = 8;

type Rule = { readonly topic: string; answer(text: string): string | null };

const RULES: readonly Rule[] = [
  { topic: "an example of ours", answer: answerStarter },
  { topic: "arithmetic", answer: answerArithmetic },
  { topic: "something to repeat", answer: answerRepeat },
  { topic: "small talk", answer: answerSmallTalk },
];

export function answer(prompt: string, attachments: readonly string[], random: Random): Answer {
  for (const rule of RULES) {
    const text = rule.answer(prompt);
    if (text !== null) return { topic: rule.topic, text: withAttachments(text, attachments) };
  }
  return {
    topic: "something that no rule covers",
    text: withAttachments(admit(prompt, random), attachments),
  };
}

/** Repeats what the prompt dictates, as connection tests like to ask. */
function answerRepeat(prompt: string): string | null {
  const [, words] =
    /^(?:please )?(?:say|repeat|echo|reply with|respond with):? +["“]?(\S.{0,500}?)["”]?\.?$/is.exec(
      prompt,
    ) ?? [];
  return words === undefined ? null : `The sandbox says: ${words}`;
}

/** What somebody says first; the first pattern that matches counts. */
const TALK: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b.{0,20}$/i,
    "Hello! This is Bursar's sandbox, so you are talking to a script and not to a model. What shall we try?",
  ],
  [
    /^(?:help|(?:who|what) are you|what can you do|what is (?:bursar|the sandbox|this))\b.{0,20}$/i,
    "I am Bursar's sandbox: scripted answers, not a language model. I call tools, fill JSON schemas and do sums, and my directives make failures happen on purpose. Configure a provider, and its models answer in my place.",
  ],
  [/^(?:thanks|thank you)\b.{0,40}$/i, "You are welcome, says the sandbox."],
  [/^(?:ping|(?:this is a )?test(?:ing)?)\W*$/i, "The sandbox hears you. Your test works."],
];

function answerSmallTalk(prompt: string): string | null {
  return TALK.find(([pattern]) => pattern.test(prompt.trim()))?.[1] ?? null;
}

function admit(prompt: string, random: Random): string {
  if (prompt === "") return "This is Bursar's sandbox. There is nothing to answer in your message.";
  const quote = shortened(prompt.replace(/\s+/g, " "), MAX_QUOTED_CHARACTERS);
  return pickOne(random, [
    `This is Bursar's sandbox, not a language model. You wrote: “${quote}” A configured provider can answer that.`,
    `The sandbox read your message (“${quote}”), but answers like this one are scripted. Configure a provider to hear from a model.`,
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
