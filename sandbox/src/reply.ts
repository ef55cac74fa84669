import type {
  ChatRequest,
  FinishReason,
  ResponseFormat,
  ToolCall,
} from "../../gateway/src/contract/index.ts";
import { type DirectiveReading, readDirectives, type Script } from "./directives/directives.ts";
import { makeValue } from "./fill/make-value.ts";
import { createEffort, createSchemaReader } from "./fill/schema-reader.ts";
import { createRandom, type Random, seedOf } from "./random.ts";
import { type Answer, answer } from "./talk/answer.ts";
import { stretchToTokens, stretchToWords } from "./talk/long-text.ts";
import { decideCalls } from "./tools/tool-calls.ts";
import { restateResults } from "./tools/tool-result.ts";
import { readTurn, type Turn } from "./turn.ts";
import { clip, MAX_CHARACTERS_PER_TOKEN } from "./words.ts";

type DirectiveNote = {
  /** An example of how to write it. */
  readonly directive: string;
  readonly effect: string;
};

/** Every directive, for the sandbox's own explanation and for the API reference. */
export const SANDBOX_DIRECTIVES: readonly DirectiveNote[] = [
  {
    directive: "[sandbox:error=429]",
    effect:
      "the upstream fails with that status (300 to 599) before the first byte. You get 400 for 400, 413 and 422, 504 for 408, 503 for 429, and 502 for all others",
  },
  { directive: "[sandbox:cut=after:20]", effect: "the stream breaks off after 20 words (0 to 10000)" },
  {
    directive: "[sandbox:delay=3s]",
    effect: "the answer takes this long, spread over its words (250ms, 3s, 2m; at most 120s)",
  },
  {
    directive: "[sandbox:first-byte=2s]",
    effect: "the first byte arrives after this time (at most 120s, together with a delay)",
  },
  {
    directive: "[sandbox:tokens=500]",
    effect: "the text has this many tokens; JSON and tool calls stay whole",
  },
  { directive: "[sandbox:usage=none]", effect: "no usage is reported, so Bursar's estimate is charged" },
  {
    directive: "[sandbox:finish=length]",
    effect: "the answer ends with this finish reason (stop, length, content_filter)",
  },
  { directive: "[sandbox:echo]", effect: "gives your message back" },
  { directive: "[sandbox:refusal]", effect: "declines to answer" },
  { directive: "[sandbox:reasoning]", effect: "thinks aloud first" },
  {
    directive: "[sandbox:reasoning=signed]",
    effect: "thinks aloud, and requires that reasoning back with the tool result",
  },
  {
    directive: '[sandbox:call=NAME {"key": "value"}]',
    effect: "calls a tool (up to 16); without the JSON, its required arguments are made up",
  },
  {
    directive: "[sandbox:fail]",
    effect: "the call fails, at no charge: chat, image or audio, or a video at its end",
  },
  { directive: "[sandbox:processing=10s]", effect: "a video takes this long (at most 120s)" },
];

/** The answer as JSON, with the plain answer in it if a property asks for one; null if JSON was not requested. */
function structuredText(
  format: ResponseFormat | undefined,
  { plain, random }: { plain: string; random: Random },
): string | null {
  if (format === undefined || format.type === "text") return null;
  if (format.type === "json") return JSON.stringify({ provider: "sandbox", answer: plain });
  const reader = createSchemaReader(format.schema, createEffort());
  return JSON.stringify(makeValue({ reader, random, isFull: true, said: plain }));
}

/** The answer to a malformed directive: a test that misspells one must not pass silently. */
function explainDirectives(written: string): string {
  return [
    `This is Bursar's sandbox. I cannot read ${JSON.stringify(written)}. Directives are written like this:`,
    "",
    ...SANDBOX_DIRECTIVES.map(({ directive, effect }) => `- ${directive}: ${effect}`),
    "",
    "At most 32 of them are read, from the last user message only.",
  ].join("\n");
}

/** One answer before any limit: decided as a whole, so that a seed gives the same answer again. */
export type Reply = {
  readonly reasoning: string;
  readonly isSigned: boolean;
  readonly text: string;
  /** The text declines to answer. */
  readonly isRefusal: boolean;
  readonly calls: readonly ToolCall[];
  readonly finish: FinishReason;
};

/** The conversation as the engine understands it, shared by all answers of a call. */
type Reading = {
  readonly turn: Turn;
  readonly directives: DirectiveReading;
  readonly seed: number;
};

export function readRequest(request: ChatRequest): Reading {
  const turn = readTurn(request);
  const results = turn.toolResults.map(({ text }) => text).join("\n");
  const seed = seedOf(`${request.seed ?? 0}\n${turn.text}\n${results}`);
  return { turn, directives: readDirectives(turn.text), seed };
}

type Composing = {
  readonly request: ChatRequest;
  readonly reading: Reading;
  readonly choice: number;
  readonly estimateTokens: (text: string) => number;
};

/** The answer with index `choice`, of `n`. */
export function composeReply(input: Composing): Reply {
  const { request, reading } = input;
  const { directives, turn } = reading;
  if (directives.outcome === "malformed") {
    return { ...PLAIN_REPLY, text: explainDirectives(directives.written) };
  }
  const { script, prompt } = directives;
  const isSigned = script.reasoning === "signed";
  const writing: Writing = { prompt, script, random: createRandom(reading.seed + input.choice) };
  if (script.refuses) {
    const reasoning = reasoningFor(request, script, REFUSAL.topic);
    const text = ofTokens(input, REFUSAL.text, writing);
    return { ...PLAIN_REPLY, reasoning, isSigned, text, isRefusal: true, finish: script.finish ?? "stop" };
  }
  const decision = decideCalls({ ...writing, request, turn });
  if (decision.outcome === "call") {
    const names = decision.calls.map(({ name }) => name).join(" and ");
    // Like OpenAI's API, which ends with `stop` if the caller named the tool.
    const finish = typeof request.toolChoice === "object" ? "stop" : "tool_calls";
    const reasoning = reasoningFor(request, script, `something that ${names} can tell`);
    return { ...PLAIN_REPLY, reasoning, isSigned, calls: decision.calls, finish: script.finish ?? finish };
  }
  const written =
    decision.outcome === "explain" ? { topic: "a tool", text: decision.text } : writeAnswer(input, writing);
  return {
    ...PLAIN_REPLY,
    reasoning: reasoningFor(request, script, written.topic),
    isSigned,
    text: written.text,
    finish: script.finish ?? "stop",
  };
}

const PLAIN_REPLY: Reply = {
  reasoning: "",
  isSigned: false,
  text: "",
  isRefusal: false,
  calls: [],
  finish: "stop",
};

type Writing = { readonly prompt: string; readonly script: Script; readonly random: Random };

function writeAnswer(input: Composing, writing: Writing): { topic: string; text: string } {
  const { prompt, script, random } = writing;
  if (script.echo) return { topic: "an echo", text: ofTokens(input, prompt, writing) };
  const plain = script.finish === "content_filter" ? REFUSAL : plainAnswer(input.reading.turn, writing);
  const json = structuredText(input.request.responseFormat, { plain: plain.text, random });
  if (json !== null) return { topic: "JSON", text: json };
  const long = ofTokens(input, plain.text, writing);
  // Long enough for the requested cut.
  const text = script.cutAfterWords === null ? long : stretchToWords(long, script.cutAfterWords, random);
  return { topic: plain.topic, text };
}

const REFUSAL: Answer = {
  topic: "a refusal",
  text: "The sandbox declines to answer this, as you asked it to.",
};

function plainAnswer(turn: Turn, { prompt, script, random }: Writing): Answer {
  if (turn.toolResults.length === 0) return answer(prompt, turn.attachments, random);
  const results = restateResults(turn.toolResults);
  const isBack = turn.hasSignedReasoning ? "came back" : "did not come back";
  const text = script.reasoning === "signed" ? `${results}\nIts signed reasoning ${isBack}.` : results;
  return { topic: "the results of tools", text };
}

/** As many tokens as requested, but at most one more than the limit: enough to show that the answer was cut. */
function ofTokens({ request, estimateTokens }: Composing, text: string, { script, random }: Writing): string {
  if (script.tokens === null) return text;
  const tokens = Math.min(script.tokens, request.maxOutputTokens + 1, MAX_TOKENS);
  const readable = clip(text, MAX_CHARACTERS_PER_TOKEN * (tokens + 1));
  return stretchToTokens({ text: readable, tokens, random, estimateTokens });
}

/** Our own limit, whatever output limit a catalog gives a model. */
const MAX_TOKENS = 200_000;

function reasoningFor(request: ChatRequest, script: Script, topic: string): string {
  const effort = request.reasoningEffort ?? "none";
  if (effort === "none" && script.reasoning === "none") return "";
  return `The last message asks for ${topic}. The sandbox follows fixed rules, so there is little to think about.`;
}
