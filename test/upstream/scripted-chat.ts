import { completionWith, DONE, deltaFrame, ROLE, USAGE, usageFrame } from "./chat-wire.ts";
import { type ScriptedAnswer, type ScriptedTurn, scriptedAnswer } from "./scripted-answer.ts";

type Json = Readonly<Record<string, unknown>>;
type Message = { readonly role: string; readonly content?: string | readonly Json[] | null };

/**
 * As strict as the original service: refuses the call if a content part has a field besides its own. Returns that
 * field, or null.
 */
export function unknownInParts(body: Json): string | null {
  const parts = (body["messages"] as readonly Message[]).flatMap(({ content }) =>
    Array.isArray(content) ? (content as readonly Json[]) : [],
  );
  const names = parts.flatMap((part) =>
    Object.keys(part).filter((name) => name !== "type" && name !== part["type"]),
  );
  return names[0] ?? null;
}

/** Answers a body of chat completions: the frames of a stream, or one JSON reply. */
export function answerChat(body: Json): readonly string[] {
  const format = body["response_format"] as { type?: string } | undefined;
  const turns = (body["messages"] as readonly Message[]).map(turnOf);
  const answer = scriptedAnswer(turns, format?.type === "json_schema");
  return body["stream"] === true ? framesOf(answer) : [wholeOf(answer)];
}

function turnOf({ role, content }: Message): ScriptedTurn {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  return {
    role: role === "user" || role === "tool" ? role : "other",
    text: parts.map((part: Json) => part["text"] ?? "").join("\n"),
    hasImage: parts.some((part: Json) => part["type"] === "image_url"),
  };
}

function framesOf({ calls, text }: ScriptedAnswer): readonly string[] {
  const fragments = calls.flatMap(({ id, name, input }, index) => [
    deltaFrame({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ...(input.match(/.{1,9}/gs) ?? []).map((piece) =>
      deltaFrame({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ]);
  const words = text.map((piece) => deltaFrame({ content: piece }));
  const end = deltaFrame({}, calls.length > 0 ? "tool_calls" : "stop");
  return [ROLE, ...words, ...fragments, end, usageFrame(USAGE), DONE];
}

function wholeOf({ calls, text }: ScriptedAnswer): string {
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: input },
  }));
  const said = { role: "assistant", content: text.length > 0 ? text.join("") : null, refusal: null };
  const message = calls.length > 0 ? { ...said, tool_calls } : said;
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  return completionWith({ choices: [{ index: 0, message, logprobs: null, finish_reason }], usage: USAGE });
}
