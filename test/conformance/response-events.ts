import { isDeepStrictEqual } from "node:util";

/** One event of a streamed response, as a client reads it. */
export type ResponseEvent = { readonly type: string; readonly [field: string]: unknown };

export type StreamedResponse = {
  readonly events: readonly ResponseEvent[];
  /** The response of the last event. */
  readonly response: Readonly<Record<string, unknown>>;
  /** What clients are known to stumble over in this stream; empty if it is correct. */
  readonly faults: readonly string[];
};

type Json = Readonly<Record<string, unknown>>;

const ENDED = ["response.completed", "response.incomplete"];
const TERMINAL = [...ENDED, "response.failed"];
/** Deltas that must add up: for each delta event, the event that has the whole value, and the field it is in. */
const WHOLES: Readonly<Record<string, { readonly done: string; readonly field: string }>> = {
  "response.output_text.delta": { done: "response.output_text.done", field: "text" },
  "response.refusal.delta": { done: "response.refusal.done", field: "refusal" },
  "response.reasoning_summary_text.delta": { done: "response.reasoning_summary_text.done", field: "text" },
  "response.reasoning_text.delta": { done: "response.reasoning_text.done", field: "text" },
  "response.function_call_arguments.delta": {
    done: "response.function_call_arguments.done",
    field: "arguments",
  },
  "response.custom_tool_call_input.delta": { done: "response.custom_tool_call_input.done", field: "input" },
};

/**
 * Reads a stream to its end and checks everything that real clients rely on. Use it wherever a test reads a streamed
 * response.
 */
export function readResponseStream(text: string): StreamedResponse {
  const faults: string[] = [];
  const events = parse(text, faults);
  const last = events.at(-1);
  const response = (last?.["response"] ?? {}) as Json;
  checkFrame(events, faults);
  checkItems(events, faults);
  checkOneAtATime(events, faults);
  checkPieces(events, faults);
  checkFields(events, faults);
  return { events, response, faults };
}

function parse(text: string, faults: string[]): ResponseEvent[] {
  if (!text.endsWith("\n\n")) faults.push("the last event has no blank line");
  return text
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"))
    .flatMap((block) => {
      const match = /^event: (\S+)\ndata: (\{.*\})$/.exec(block);
      if (match === null) {
        faults.push(`no event: ${block.slice(0, 80)}`);
        return [];
      }
      const event = JSON.parse(match[2] ?? "") as ResponseEvent;
      if (event.type !== match[1]) faults.push(`the event ${match[1]} says that it is ${event.type}`);
      return [event];
    });
}

/** Sequence numbers, event names, and the first and last events. */
function checkFrame(events: readonly ResponseEvent[], faults: string[]): void {
  const types = events.map(({ type }) => type);
  if (types[0] !== "response.created" || types[1] !== "response.in_progress") {
    faults.push(`begins with ${types.slice(0, 2).join(", ")}`);
  }
  const ends = types.filter((type) => TERMINAL.includes(type));
  if (ends.length !== 1 || ends[0] !== types.at(-1)) faults.push(`ends with ${types.slice(-2).join(", ")}`);
  if (types.includes("error") !== (ends[0] === "response.failed"))
    faults.push("error and failed belong together");
  const ids = new Set(events.flatMap(({ response }) => (response ? [(response as Json)["id"]] : [])));
  if (ids.size !== 1) faults.push(`has ${ids.size} ids`);
  for (const { type, response } of events) {
    if (response === undefined) continue;
    const { usage } = response as Json;
    if (ENDED.includes(type) === (usage === null)) faults.push(`${type} has the usage ${usage}`);
  }
  for (const [at, event] of events.entries()) {
    if (event["sequence_number"] !== at) faults.push(`event ${at} has number ${event["sequence_number"]}`);
  }
}

/** Every item is added, done, and in the final output, all in the same order. */
function checkItems(events: readonly ResponseEvent[], faults: string[]): void {
  const open = new Map<unknown, unknown>();
  const done = new Map<unknown, unknown>();
  for (const { type, output_index: index, item, item_id: itemId } of events) {
    if (type === "response.output_item.added") {
      if (index !== open.size) faults.push(`item ${open.size} is called ${index}`);
      open.set(index, (item as Json)["id"]);
    } else if (type === "response.output_item.done") {
      if (open.get(index) !== (item as Json)["id"]) faults.push(`item ${index} ends under another id`);
      if (done.has(index)) faults.push(`item ${index} ends twice`);
      done.set(index, item);
    } else if (itemId !== undefined) {
      if (open.get(index) !== itemId) faults.push(`${type} belongs to no item`);
      if (done.has(index)) faults.push(`${type} after the end of its item`);
    }
  }
  const last = events.at(-1);
  if (last === undefined || last.type === "response.failed") return;
  const output = (last["response"] as Json)["output"];
  const ended = [...open.keys()].map((index) => done.get(index));
  if (!isDeepStrictEqual(output, ended)) faults.push("the output differs from the items that were ended");
}

/** Fields that an item or part of each type always has, with their types. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, "string" | "list">>>> = {
  message: { status: "string", role: "string", content: "list" },
  function_call: { status: "string", call_id: "string", name: "string", arguments: "string" },
  custom_tool_call: { status: "string", call_id: "string", name: "string", input: "string" },
  reasoning: { summary: "list" },
  output_text: { text: "string", annotations: "list", logprobs: "list" },
  refusal: { refusal: "string" },
  reasoning_text: { text: "string" },
  summary_text: { text: "string" },
  "response.output_text.delta": { logprobs: "list" },
  "response.output_text.done": { logprobs: "list" },
  "response.function_call_arguments.done": { name: "string" },
};

/** No field that the published schemas require is missing or null, in an event or within it. */
function checkFields(given: unknown, faults: string[]): void {
  if (typeof given !== "object" || given === null) return;
  const fields = given as Json;
  for (const [name, type] of Object.entries(FIELDS[String(fields["type"])] ?? {})) {
    const value = fields[name];
    const isRight = type === "list" ? Array.isArray(value) : typeof value === "string";
    if (!isRight) faults.push(`${fields["type"]} has ${JSON.stringify(value)} for ${name}`);
  }
  for (const each of Object.values(given)) checkFields(each, faults);
}

/** An item is done before the next one is added: some agents append every delta to the item that was added last. */
function checkOneAtATime(events: readonly ResponseEvent[], faults: string[]): void {
  let open: unknown = null;
  for (const { type, output_index: index } of events) {
    if (index === undefined) continue;
    if (open !== null && index !== open) faults.push(`${type} of item ${index} stands inside item ${open}`);
    if (type === "response.output_item.added") open = index;
    else if (type === "response.output_item.done" && index === open) open = null;
  }
}

/** Deltas add up to their whole, and each part that is added is done. */
function checkPieces(events: readonly ResponseEvent[], faults: string[]): void {
  const pieces = new Map<string, string>();
  const parts = new Set<string>();
  const placeOf = (event: ResponseEvent) =>
    `${event["item_id"]}/${event["content_index"] ?? ""}/${event["summary_index"] ?? ""}`;
  for (const event of events) {
    const { type } = event;
    const place = placeOf(event);
    const whole = WHOLES[type];
    if (whole !== undefined)
      pieces.set(`${whole.done} ${place}`, (pieces.get(`${whole.done} ${place}`) ?? "") + event["delta"]);
    const ending = Object.values(WHOLES).find(({ done }) => done === type);
    if (ending !== undefined) {
      if ((pieces.get(`${type} ${place}`) ?? "") !== event[ending.field])
        faults.push(`${type} differs from its pieces`);
      pieces.delete(`${type} ${place}`);
    }
    if (type.endsWith("part.added")) parts.add(place);
    if (type.endsWith("part.done") && !parts.delete(place))
      faults.push(`${type} of a part that was not begun`);
  }
  if (events.at(-1)?.type === "response.failed") return;
  if (pieces.size > 0) faults.push(`never ended: ${[...pieces.keys()].join(", ")}`);
  if (parts.size > 0) faults.push(`parts never ended: ${[...parts].join(", ")}`);
}
