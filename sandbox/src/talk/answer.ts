import { pickOne, type Random } from "../random.ts";
import { shortened } from "../words.ts";

/** What may stand around an expression without changing it. */
const ASKED =
  /^(?:(?:what is|what's|how much is|calculate|compute) )?([^a-z=?]+|(?:[^a-z=?]|plus|minus|times|divided by)+?)\s*(?:=\s*)?[?.!]*$/i;
const TOKEN = /\d+(?:\.\d+)?|[-+*/()]/g;
const IN_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/plus/gi, "+"],
  [/minus|−/gi, "-"],
  [/times|×/gi, "*"],
  [/divided by|÷/gi, "/"],
];
const MAX_CHARACTERS = 200;

/** Works out an expression that is the whole prompt, in digits, signs and their names; null if it is none. */
function answerArithmetic(prompt: string): string | null {
  if (prompt.length > MAX_CHARACTERS) return null;
  const [, said = ""] = ASKED.exec(prompt.trim()) ?? [];
  const written = IN_SIGNS.reduce((text, [words, sign]) => text.replace(words, sign), said);
  const tokens = written.match(TOKEN) ?? [];
  if (tokens.length < 3 || tokens.join("") !== written.replace(/\s/g, "")) return null;
  const value = worth(tokens);
  if (value === null) return null;
  // Digits that only the computer's way of counting adds are not shown.
  const shown = Number.isFinite(value) ? `= ${Number(value.toPrecision(12))}` : "has no value";
  return `Sandbox arithmetic: ${tokens.join(" ").replace(/\( | \)/g, (sign) => sign.trim())} ${shown}.`;
}

/** A parser of our own for + - * / and parentheses: a prompt is never run as code. */
function worth(tokens: readonly string[]): number | null {
  let at = 0;

  function sum(): number {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value += tokens[at++] === "+" ? product() : -product();
    return value;
  }

  function product(): number {
    let value = factor();
    while (tokens[at] === "*" || tokens[at] === "/") {
      if (tokens[at++] === "*") value *= factor();
      else value /= factor();
    }
    return value;
  }

  function factor(): number {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token !== "(") return Number(token ?? Number.NaN);
    const value = sum();
    return tokens[at++] === ")" ? value : Number.NaN;
  }

  const value = sum();
  return at === tokens.length && !Number.isNaN(value) ? value : null;
}

/**
 * What our own console, documentation and first steps suggest to ask, and no rule understands: the first words that
 * somebody sees must not look like a failure. Nothing else belongs here.
 */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  [
    "say hello in three languages",
    "The sandbox says hello three times:\n\n- English: Hello!\n- French: Bonjour !\n- Japanese: こんにちは！",
  ],
  [
    "explain credits to a child",
    "The sandbox would put it like this. Credits are like the tokens of a funfair: you get a handful, and every ride costs some of them. Before a ride you hand over as many as it may cost, and afterwards you get back what it did not use. A short ride costs little, a long one more. When your pocket is empty, the rides wait until you have new ones.",
  ],
  [
    "write a haiku about the sea",
    "A sandbox haiku:\n\nWaves count out the sand,\none grain given, one taken;\nthe tide keeps the books.",
  ],
]);

const LONGEST = 80;

/** Null if the text is none of these. */
function answerStarter(text: string): string | null {
  if (text.length > LONGEST) return null;
  return (
    ANSWERS.get(
      text
        .trim()
        .toLowerCase()
        .replace(/[.!?]$/, ""),
    ) ?? null
  );
}

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
