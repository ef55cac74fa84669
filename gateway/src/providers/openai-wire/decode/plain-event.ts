import type { ChatEvent, TextPlace, WireEvent } from "../../../contract/index.ts";
import { PAD_PROBE, type PlainChunks, PROBE } from "./plain-chunk.ts";

/** Finds tool calls, in the current or the first form of the wire. */
const OF_CALL = /"(?:tool_calls|function_call)"/;

/** The event of a plain chunk, without its text. */
export type PlainEvent =
  | { readonly type: "text" | "reasoning" }
  | { readonly type: "tool_arguments"; readonly call: number }
  /** JSON members around the text; `between` is set if the text occurs twice, `tail` if there is padding before it. */
  | {
      readonly type: "wire";
      readonly before: string;
      readonly between: string | null;
      readonly after: string;
      readonly tail: string | null;
      readonly isCall: boolean;
      readonly isReasoning: WireEvent["isReasoning"];
      readonly place: TextPlace | null;
    };

/** Made from the events of a probe; null if they cannot be made again from other text alone. */
export function plainEventOf(events: readonly ChatEvent[]): PlainEvent | null {
  const [event] = events;
  if (event === undefined || events.length > 1) return null;
  switch (event.type) {
    case "text":
    case "reasoning":
      return event.text === PROBE ? { type: event.type } : null;
    case "tool_arguments":
      return event.text === PROBE ? { type: event.type, call: event.call } : null;
    case "wire":
      return event.written === PROBE && !event.isClosing ? membersAround(event) : null;
    default:
      return null;
  }
}

/** The model's text in an event; empty if it has none. */
export function textIn(event: ChatEvent | undefined): string {
  if (event === undefined) return "";
  if (event.type === "wire") return event.written;
  return "text" in event ? event.text : "";
}

/** The event with the text just read. */
export function withText(plain: PlainEvent, text: string, read: PlainChunks): ChatEvent {
  switch (plain.type) {
    case "text":
      return { type: "text", text };
    case "reasoning":
      return { type: "reasoning", text };
    case "tool_arguments":
      return { type: "tool_arguments", call: plain.call, text };
    case "wire": {
      const { place, isReasoning } = plain;
      return { type: "wire", members: membersWith(plain, read), written: text, isReasoning, place };
    }
  }
}

/** Later arguments may belong to another call, while text always belongs to its answer. */
export function isOfCall(plain: PlainEvent): boolean {
  return plain.type === "tool_arguments" || (plain.type === "wire" && plain.isCall);
}

type PlainMembers = Extract<PlainEvent, { type: "wire" }>;

function membersAround({ members, isReasoning }: WireEvent): PlainMembers | null {
  const [before, middle, last, ...more] = members.split(PROBE);
  if (before === undefined || middle === undefined || more.length > 0) return null;
  const [after = "", tail = null, ...others] = (last ?? middle).split(PAD_PROBE);
  if (others.length > 0 || before.includes(PAD_PROBE)) return null;
  const between = last === undefined ? null : middle;
  return {
    type: "wire",
    before,
    between,
    after,
    tail,
    isCall: OF_CALL.test(members),
    isReasoning,
    place: placeIn(members),
  };
}

/** Null if anything besides the text grows with every chunk, or might. */
function placeIn(members: string): TextPlace | null {
  const [choice] = JSON.parse(`{${members}}`).choices;
  const { tool_calls: calls = [], ...said } = choice.delta;
  const fields = Object.keys(said).filter((name) => said[name] !== null && said[name] !== "");
  if (fields.some((name) => said[name] !== PROBE)) return null;
  const [call, ...others] = calls;
  if (call === undefined) return { fields, call: null };
  const isAlone = fields.length === 0 && others.length === 0 && call.function?.arguments === PROBE;
  return isAlone ? { fields, call: call.index } : null;
}

function membersWith({ before, between, after, tail }: PlainMembers, { raw, padding }: PlainChunks): string {
  const end = tail === null ? after : after + padding + tail;
  return between === null ? before + raw + end : before + raw + between + raw + end;
}
