import type { Behaviours, Call } from "./behaviour.ts";
import {
  completion,
  completionWith,
  DONE,
  goodFrames,
  ROLE,
  STOP,
  USAGE,
  usageFrame,
  wordFrames,
} from "./chat-wire.ts";
import { stream } from "./stream-behaviours.ts";

const USAGES: Readonly<Record<string, unknown>> = {
  negative: { prompt_tokens: -5, completion_tokens: -9, total_tokens: -14 },
  string: { prompt_tokens: "11", completion_tokens: "9", total_tokens: "20" },
  huge: { prompt_tokens: 1e18, completion_tokens: 1e18, total_tokens: 2e18 },
  fraction: { prompt_tokens: 10.5, completion_tokens: 0.1, total_tokens: 10.6 },
  zero: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  null: null,
  empty: {},
  contradictory: {
    prompt_tokens: 11,
    completion_tokens: 9,
    total_tokens: 3,
    prompt_tokens_details: { cached_tokens: 5_000 },
    completion_tokens_details: { reasoning_tokens: 7_000 },
  },
};

/** Good answers except for the usage they report; streamed or JSON, as requested. */
export const USAGE_BEHAVIOURS: Behaviours = {
  ok: {
    about: "a good answer; so is every model without a behaviour of its own",
    answer: (call) => (call.isStream ? stream(call, goodFrames()) : call.respond({ body: completion() })),
  },
  "json-anyway": {
    about: "JSON although a stream was asked for",
    answer: (call) => call.respond({ body: completion() }),
  },
  usage: {
    about: `usage:KIND, where KIND is missing, nan, ${Object.keys(USAGES).join(", ")}`,
    answer: (call) => answerWithUsage(call, call.args[0] ?? "missing"),
  },
};

function answerWithUsage(call: Call, kind: string): void | Promise<void> {
  if (kind === "missing") return answer(call, null, completionWith({}));
  if (kind === "nan") {
    const nan = (text: string) => text.replace('"completion_tokens":9', '"completion_tokens":NaN');
    return answer(call, nan(usageFrame(USAGE)), nan(completion()));
  }
  return answer(call, usageFrame(USAGES[kind]), completionWith({ usage: USAGES[kind] }));
}

function answer(call: Call, usage: string | null, json: string): void | Promise<void> {
  if (!call.isStream) return call.respond({ body: json });
  return stream(call, [ROLE, ...wordFrames(), STOP, ...(usage === null ? [] : [usage]), DONE]);
}
