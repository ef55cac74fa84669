import type { ChatRequest, WireRequest } from "../../../contract/index.ts";
import { type Fields, isFields } from "../../../wires/index.ts";
import { clientFields } from "../encode/client-fields.ts";
import { encodeItemCallId } from "../encode/encode-call-id.ts";
import type { EncodeTarget } from "../encode/encode-target.ts";
import { fittedEffort } from "../encode/fitted-effort.ts";
import { withoutKeywords } from "../encode/wire-schema.ts";
import type { WireVendor } from "../vendor.ts";
import { repairedInput } from "./response-input.ts";
import { repairResponseTools } from "./response-tools.ts";

/** The items with call ids that the vendor accepts, in calls and results alike; the same list if all fit. */
function withFittingCallIds(input: unknown, vendor: WireVendor): unknown {
  if (vendor.toolCallId !== "short" || !Array.isArray(input)) return input;
  const fitting = input.map((item: Fields | null) => withFittingCallId(item, vendor));
  return fitting.some((item, at) => item !== input[at]) ? fitting : input;
}

function withFittingCallId(item: Fields | null, vendor: WireVendor): Fields | null {
  const id = item?.["call_id"];
  if (typeof id !== "string") return item;
  const fitting = encodeItemCallId(id, vendor);
  return fitting === id ? item : { ...item, call_id: fitting };
}

type Body = Record<string, unknown>;

/** Fields that rely on state at the provider: there is none, every request contains everything. */
export const STATEFUL = ["store", "background", "previous_response_id", "conversation"] as const;

/** The caller's own body, unchanged except for what we decide, what would need state and what has no price. */
export function encodeResponseRequest(request: ChatRequest, wire: WireRequest, target: EncodeTarget): Body {
  const { vendor, model, namespace } = target;
  const body = clientFields(wire.body, request, target, [...STATEFUL, ...vendor.responsesDrops]);
  body["model"] = model;
  const { reasoningMark: mark } = wire;
  const input = repairedInput(wire.body["input"], (text) => (mark ? mark.unmark(text, namespace) : text));
  body["input"] = withFittingCallIds(input, vendor);
  body["max_output_tokens"] = request.maxOutputTokens;
  if (!vendor.responsesDrops.includes("store")) body["store"] = false;
  if (request.inOnePiece !== true) {
    body["stream"] = true;
    const options = wire.body["stream_options"];
    if (isFields(options)) body["stream_options"] = options;
  }
  fitEffort(body, target);
  askForReasoning(body, target);
  repairResponseTools(body, vendor);
  repairText(body, target);
  return body;
}

/** Other settings in `reasoning` are kept. */
function fitEffort(body: Body, target: EncodeTarget): void {
  const { effort, ...said } = (body["reasoning"] ?? {}) as Fields;
  if (typeof effort !== "string") return;
  const fitted = fittedEffort(effort, target);
  if (fitted === effort) return;
  if (fitted !== null) body["reasoning"] = { ...said, effort: fitted };
  else if (Object.keys(said).length > 0) body["reasoning"] = said;
  else delete body["reasoning"];
}

const ENCRYPTED = "reasoning.encrypted_content";

/**
 * Without state, reasoning can be sent back only if it was returned encrypted. We request that from every model that
 * reasons, since a client that relies on `store` does not. Models that never reason refuse the request.
 */
export function askForReasoning(body: Body, { vendor, model }: EncodeTarget): void {
  const asked: readonly unknown[] = Array.isArray(body["include"]) ? body["include"] : [];
  if (vendor.thoughtlessModels?.test(model)) {
    delete body["reasoning"];
    const include = asked.filter((each) => each !== ENCRYPTED);
    if (include.length > 0) body["include"] = include;
    else delete body["include"];
  } else if (vendor.encryptingModels?.test(model) && !asked.includes(ENCRYPTED)) {
    body["include"] = [...asked, ENCRYPTED];
  }
}

function repairText(body: Body, { vendor }: EncodeTarget): void {
  const { text } = body;
  const format = (text as Fields | undefined)?.["format"] as Fields | undefined;
  const schema = format?.["schema"];
  if (vendor.schemaDrops.length === 0 || schema === undefined) return;
  const plain = withoutKeywords(schema, vendor.schemaDrops);
  body["text"] = { ...(text as Fields), format: { ...format, schema: plain } };
}
