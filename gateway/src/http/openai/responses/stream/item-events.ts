import { isObject } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";
import type { EventWriter } from "./event-writer.ts";

/** Writes all events of a complete item as a stream would have sent them: for a repeat, or if it came in one piece. */
export function writeItem(writer: EventWriter, index: number, item: JsonObject): void {
  const place = `"item_id":${JSON.stringify(item["id"] ?? "")},"output_index":${index}`;
  writer.write("response.output_item.added", `"output_index":${index},"item":${JSON.stringify(begun(item))}`);
  for (const [at, part] of partsOf(item, "summary")) {
    writeSummary(writer, `${place},"summary_index":${at}`, part);
  }
  for (const [at, part] of partsOf(item, "content")) {
    writeContent(writer, `${place},"content_index":${at}`, part);
  }
  if (item["type"] === "function_call") {
    const said = JSON.stringify(item["arguments"]);
    writer.write("response.function_call_arguments.delta", `${place},"delta":${said}`);
    const name = JSON.stringify(item["name"]);
    writer.write("response.function_call_arguments.done", `${place},"name":${name},"arguments":${said}`);
  } else if (item["type"] === "custom_tool_call") {
    const said = JSON.stringify(item["input"]);
    writer.write("response.custom_tool_call_input.delta", `${place},"delta":${said}`);
    writer.write("response.custom_tool_call_input.done", `${place},"input":${said}`);
  }
  writer.write("response.output_item.done", `"output_index":${index},"item":${JSON.stringify(item)}`);
}

/** The item as it is announced, without content. */
function begun(item: JsonObject): JsonObject {
  const begun: Record<string, unknown> = { ...item };
  if ("status" in item) begun["status"] = "in_progress";
  for (const field of ["content", "summary"]) if (Array.isArray(item[field])) begun[field] = [];
  for (const field of ["arguments", "input"]) if (typeof item[field] === "string") begun[field] = "";
  return begun;
}

function partsOf(item: JsonObject, field: string): readonly (readonly [number, JsonObject])[] {
  const parts = item[field];
  return Array.isArray(parts) ? [...parts.filter(isObject).entries()] : [];
}

function writeSummary(writer: EventWriter, place: string, part: JsonObject): void {
  const said = JSON.stringify(part["text"] ?? "");
  const begunPart = JSON.stringify({ ...part, text: "" });
  writer.write("response.reasoning_summary_part.added", `${place},"part":${begunPart}`);
  writer.write("response.reasoning_summary_text.delta", `${place},"delta":${said}`);
  writer.write("response.reasoning_summary_text.done", `${place},"text":${said}`);
  writer.write("response.reasoning_summary_part.done", `${place},"part":${JSON.stringify(part)}`);
}

function writeContent(writer: EventWriter, place: string, part: JsonObject): void {
  const { type } = part;
  const { emptied, write } = (typeof type === "string" && CONTENT_PARTS.get(type)) || TEXT_PART;
  writer.write("response.content_part.added", `${place},"part":${JSON.stringify({ ...part, ...emptied })}`);
  write(writer, place, part);
  writer.write("response.content_part.done", `${place},"part":${JSON.stringify(part)}`);
}

/** How a part is announced without content, and how the events between its first and its last are written. */
type ContentPart = {
  readonly emptied: JsonObject;
  write(writer: EventWriter, place: string, part: JsonObject): void;
};

const TEXT_PART: ContentPart = { emptied: { text: "", annotations: [], logprobs: [] }, write: writeText };
const CONTENT_PARTS: ReadonlyMap<string, ContentPart> = new Map([
  ["refusal", { emptied: { refusal: "" }, write: writeRefusal }],
  ["reasoning_text", { emptied: { text: "" }, write: writeThought }],
]);

function writeThought(writer: EventWriter, place: string, part: JsonObject): void {
  const said = JSON.stringify(part["text"] ?? "");
  writer.write("response.reasoning_text.delta", `${place},"delta":${said}`);
  writer.write("response.reasoning_text.done", `${place},"text":${said}`);
}

function writeRefusal(writer: EventWriter, place: string, part: JsonObject): void {
  const said = JSON.stringify(part["refusal"] ?? "");
  writer.write("response.refusal.delta", `${place},"delta":${said}`);
  writer.write("response.refusal.done", `${place},"refusal":${said}`);
}

function writeText(writer: EventWriter, place: string, part: JsonObject): void {
  const { text = "", logprobs = [], annotations } = part;
  const said = JSON.stringify(text);
  const tail = `"logprobs":${JSON.stringify(logprobs)}`;
  writer.write("response.output_text.delta", `${place},"delta":${said},${tail}`);
  for (const [at, annotation] of (Array.isArray(annotations) ? annotations : []).entries()) {
    const added = `"annotation_index":${at},"annotation":${JSON.stringify(annotation)}`;
    writer.write("response.output_text.annotation.added", `${place},${added}`);
  }
  writer.write("response.output_text.done", `${place},"text":${said},${tail}`);
}
