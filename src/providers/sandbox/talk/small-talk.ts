import { pickOne, type Random } from "../random.ts";

type Lines = readonly [string, ...string[]];

const ABILITIES =
  "I do arithmetic, summaries and lists, I call tools and fill JSON schemas, and my directives make failures happen on purpose.";

/** Read from the top; the first that matches answers. */
const TALK: readonly (readonly [RegExp, Lines])[] = [
  [
    /\b(?:who|what) are you\b|\byour name\b|\bare you (?:a|an|real|human|gpt|claude)\b|\bwhich model\b|\bwhat model\b/i,
    [`I am Bursar's sandbox: scripted answers, not a language model. ${ABILITIES}`],
  ],
  [
    /\bwhat can you do\b|\bhelp\b|\bcapabilities\b|\bhow do (?:i|you) (?:use|work)\b/i,
    [`This is Bursar's sandbox. ${ABILITIES} Configure a provider, and its models answer in my place.`],
  ],
  [
    /\bhow are you\b|\bhow(?:'s| is) it going\b|\bhow do you do\b/i,
    [
      "All is well in the sandbox, thank you. It is always the same weather here. What shall we try?",
      "Very well, as a sandbox always is. How can I help you test?",
    ],
  ],
  [
    /\bthank(?:s| you)\b|\bcheers\b|\bmuch appreciated\b/i,
    ["You are welcome, says the sandbox.", "Glad that the sandbox could help."],
  ],
  [
    /\b(?:good ?bye|bye|see you|good night|farewell)\b/i,
    ["Goodbye from the sandbox.", "See you. The sandbox stays open."],
  ],
  [
    /\bjoke\b|\bfunny\b/i,
    [
      "A sandbox joke: why did the stream stop after twenty words? Somebody asked it to.",
      "A sandbox joke: I would tell you one about caching, but you would have heard it before.",
    ],
  ],
  [
    /\bwhat(?:'s| is) the time\b|\bwhat time\b|\bwhat day\b|\btoday'?s date\b|\bweather\b|\bnews\b/i,
    ["The sandbox has no clock, no window and no network, so I cannot know that."],
  ],
  [
    /\b(?:poem|haiku|limerick|verse)\b/i,
    [
      "A sandbox haiku:\n\nGrains of scripted text\nfall in the order you chose;\nno tide comes for them.",
      "A sandbox verse:\n\nI answer in the order that I must,\nI count each word and settle every grain;\nask twice the same, and you may surely trust\nthat you will hear the very same again.",
    ],
  ],
  [
    /^\W*(?:hi|hello|hey|hallo|hola|bonjour|ciao|howdy|greetings|good (?:morning|afternoon|evening))\b/i,
    [
      "Hello! This is Bursar's sandbox, so you are talking to a script and not to a model. What shall we try?",
      "Hello from Bursar's sandbox. Ask me for a sum, a summary or a list.",
    ],
  ],
  [/^\W*(?:ping)\W*$/i, ["pong, says the sandbox."]],
  [/^\W*(?:this is a )?test(?:ing)?\W*$/i, ["The sandbox hears you. Your test works."]],
];

/** Null when the text is no small talk. */
export function answerSmallTalk(text: string, random: Random): string | null {
  for (const [pattern, lines] of TALK) if (pattern.test(text)) return pickOne(random, lines);
  return null;
}
