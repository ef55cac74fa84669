import { pickOne, type Random } from "../random.ts";

type Lines = readonly [string, ...string[]];

const ABILITIES =
  "I do arithmetic, summaries and lists, I call tools and fill JSON schemas, and my directives make failures happen on purpose.";

/** Thanks and greetings begin a sentence. Further inside they are its topic, after a colon somebody else's words. */
const START = "^(?:[^:]{0,80}[.!?,\\n])?\\W{0,3}(?:(?:ok|okay|great|cool|perfect|well|many|and)\\W{1,3})?";
const saying = (words: string) => new RegExp(START + words, "i");

/** The first pattern that matches wins. Each needs a whole phrase; a stray word does not match. */
const TALK: readonly (readonly [RegExp, Lines])[] = [
  [
    /\b(?:who|what) are you(?! \w+ing\b)\b|\byour name\b|\bare you (?:a|an|real|human|(?:chat)?gpt|claude)\b|\b(?:which|what) (?:\w+ )?model (?:are you|is this|am i|do you)\b/i,
    [`I am Bursar's sandbox: scripted answers, not a language model. ${ABILITIES}`],
  ],
  [
    /^\W*what(?:'s| is) (?:bursar|(?:the|this) sandbox)\W*$/i,
    [
      `Bursar is an AI gateway: one address and one key for many models, and credits for what they cost. This is its sandbox, which answers by script. ${ABILITIES}`,
    ],
  ],
  [
    /\bwhat can you do\b|^\W*(?:please |i need |can you )?help(?: me)?\W*$|\byour capabilities\b|\bhow do (?:you work|i use (?:you|this|it|bursar|the sandbox))\b/i,
    [`This is Bursar's sandbox. ${ABILITIES} Configure a provider, and its models answer in my place.`],
  ],
  [
    /\bhow are you(?: doing| feeling| today)?\s*(?:[?!.,]|$)|\bhow(?:'s| is) it going\b|\bhow do you do\b/i,
    [
      "All is well in the sandbox, thank you. It is always the same weather here. What shall we try?",
      "Very well, as a sandbox always is. How can I help you test?",
    ],
  ],
  [
    saying("(?:thanks|thank you|cheers|much appreciated)\\b"),
    ["You are welcome, says the sandbox.", "Glad that the sandbox could help."],
  ],
  [
    saying(
      "(?:good ?bye|bye|see you|good night|farewell)(?: (?:bye|for now|later|soon|then|tomorrow))?\\s*(?:[.!?,]|$)",
    ),
    ["Goodbye from the sandbox.", "See you. The sandbox stays open."],
  ],
  [
    /\b(?:tell|give|know|make|another|say|crack)\b[^.?!\n]{0,20}\bjokes?\b|^\W*(?:a )?joke\W*$|\bsomething funny\b/i,
    [
      "A sandbox joke: why did the stream stop after twenty words? Somebody asked it to.",
      "A sandbox joke: I would tell you one about caching, but you would have heard it before.",
    ],
  ],
  [
    /\bwhat(?:'s| is) the (?:time|date)(?: (?:right now|now|today|in \w+))?\s*(?:[?.!,]|$)|\bwhat time (?:is|does|do|will)\b|\bwhat day (?:is|of)\b|\btoday'?s date\b|\b(?:how|what|is)(?:'s| is| was)? the weather\b|\bweather (?:today|tomorrow|forecast)\b|\b(?:latest|top|today'?s) news\b|\b(?:what(?:'s| is)|in) the news\b/i,
    ["The sandbox has no clock, no window and no network, so I cannot know that."],
  ],
  [
    /^(?=[^.?!\n]{0,60}\bhaikus?\b)\W*(?:please |can you |could you )?(?:a |write|compose|make|give|tell|recite|haiku)/i,
    [
      "A sandbox haiku:\n\nGrains of scripted text\nfall in the order you chose;\nno tide comes for them.",
      "A sandbox haiku:\n\nAsk it twice the same,\nand the same words come again,\ncounted one by one.",
    ],
  ],
  [
    /^(?=[^.?!\n]{0,60}\b(?:poems?|limericks?|verses?)\b)\W*(?:please |can you |could you )?(?:a |write|compose|make|give|tell|recite|poem)/i,
    [
      "A sandbox verse:\n\nI answer in the order that I must,\nI count each word and settle every grain;\nask twice the same, and you may surely trust\nthat you will hear the very same again.",
    ],
  ],
  [
    /^\W*(?:hi|hello|hey|hallo|hola|bonjour|ciao|howdy|greetings|good (?:morning|afternoon|evening))(?: (?!in\b)\w+){0,2}\s*(?:[.,!?\n]|$)/i,
    [
      "Hello! This is Bursar's sandbox, so you are talking to a script and not to a model. What shall we try?",
      "Hello from Bursar's sandbox. Ask me for a sum, a summary or a list.",
    ],
  ],
  [/^\W*(?:ping)\W*$/i, ["pong, says the sandbox."]],
  [/^\W*(?:this is a )?test(?:ing)?\W*$/i, ["The sandbox hears you. Your test works."]],
];

/** Null if the text is not small talk. */
export function answerSmallTalk(text: string, random: Random): string | null {
  for (const [pattern, lines] of TALK) if (pattern.test(text)) return pickOne(random, lines);
  return null;
}
