import type { ChatRequest, WireRequest } from "../../../contract/index.ts";
import { type Fields, isFields } from "../../../wires/index.ts";
import { acceptedSchema } from "../encode/accepted-schema.ts";
import { clientFields } from "../encode/client-fields.ts";
import { isFormInPrompt, withFormInPrompt } from "../encode/encode-form.ts";
import { encodeDelivery, encodeTool, encodeToolChoice, NO_PARAMETERS } from "../encode/encode-request.ts";
import type { EncodeTarget } from "../encode/encode-target.ts";
import { fittedEffort } from "../encode/fitted-effort.ts";
import { stopThinkingBeforeForcedCall } from "../encode/forced-call.ts";
import { usualChoice } from "../usual-choice.ts";
import type { WireVendor } from "../vendor.ts";
import { encodeWireMessages } from "./encode-wire-message.ts";

type Body = Record<string, unknown>;

/**
 * The caller's own body, unchanged except for what we decide (model, limit, stream, anything that no price covers) and
 * what this vendor is known to refuse.
 */
export function encodeWireRequest(request: ChatRequest, wire: WireRequest, target: EncodeTarget): Body {
  const { vendor, model } = target;
  const body = clientFields(wire.body, request, target, vendor.dropsFields);
  body["model"] = model;
  body["messages"] = withFormInPrompt(request, encodeWireMessages(request, wire, target), vendor);
  encodeDelivery(body, request, target);
  keepPadding(body, wire.body["stream_options"]);
  renameSeed(body, target);
  renameEffort(body, request, target);
  if (!vendor.customTools) makeFunctions(body, request, vendor);
  repairChoice(body, request, target);
  repairTools(body, target);
  stopThinkingBeforeForcedCall(body, target);
  repairFunctions(body, target);
  repairFormat(body, request, target);
  return body;
}

/** The caller decides whether chunks are padded to one length; we decide that usage is sent. */
function keepPadding(body: Body, given: unknown): void {
  const ours = body["stream_options"];
  if (!isFields(ours) || !isFields(given)) return;
  const { include_obfuscation: isPadded } = given;
  if (typeof isPadded === "boolean") body["stream_options"] = { ...ours, include_obfuscation: isPadded };
}

function renameSeed(body: Body, { vendor }: EncodeTarget): void {
  const { seed } = body;
  if (vendor.seedField === "seed" || seed === undefined) return;
  delete body["seed"];
  body[vendor.seedField] = seed;
}

/**
 * Clients set the effort in one of two fields, and servers accept one of them. Other settings in `reasoning` are kept
 * if the server accepts that field.
 */
function renameEffort(body: Body, { reasoningEffort: asked }: ChatRequest, target: EncodeTarget): void {
  const { vendor, model } = target;
  if (vendor.thoughtlessModels?.test(model) === true) {
    delete body["reasoning"];
    delete body["reasoning_effort"];
    return;
  }
  if (asked === undefined || vendor.effortAsGiven) return;
  const effort = fittedEffort(asked, target);
  if (effort === null || effort !== asked) delete body[vendor.effortAs];
  delete body[vendor.effortAs === "reasoning" ? "reasoning_effort" : "reasoning"];
  if (effort !== null) body[vendor.effortAs] ??= vendor.effortAs === "reasoning" ? { effort } : effort;
}

/** Replaces custom tools by the functions that the neutral request has for them. */
function makeFunctions(
  body: Body,
  { tools: neutral = [], toolChoice: choice }: ChatRequest,
  vendor: WireVendor,
): void {
  const { tools, tool_choice: given } = body;
  if (!Array.isArray(tools) || !tools.some(isCustom)) return;
  const functions = new Map(neutral.map((tool) => [tool.name, tool]));
  body["tools"] = tools.map((tool: Fields) => {
    const made = isCustom(tool) ? functions.get(String((tool["custom"] as Fields)["name"])) : undefined;
    return made === undefined ? tool : encodeTool(made, vendor);
  });
  if (isCustom(given as Fields) && choice !== undefined) body["tool_choice"] = encodeToolChoice(choice);
}

function isCustom(tool: Fields | null | undefined): boolean {
  return tool?.["type"] === "custom";
}

/**
 * For vendors without `allowed_tools`: the neutral request has only the allowed tools, and a choice among all of these.
 */
function repairChoice(
  body: Body,
  { tools: allowed = [], toolChoice: choice }: ChatRequest,
  { vendor }: EncodeTarget,
): void {
  if (body["tool_choice"] !== undefined) body["tool_choice"] = usualChoice(body["tool_choice"]);
  const { tools, tool_choice: given } = body;
  if (vendor.allowedTools || (given as Fields | undefined)?.["type"] !== "allowed_tools") return;
  const names = new Set<unknown>(allowed.map(({ name }) => name));
  if (Array.isArray(tools)) {
    body["tools"] = tools.filter((tool: Fields) => names.has((tool["function"] as Fields)?.["name"]));
  }
  if (choice === undefined) delete body["tool_choice"];
  else body["tool_choice"] = choice;
}

/** An empty list of tools is refused, and so is a choice without any: both are left out. */
function repairTools(body: Body, { vendor }: EncodeTarget): void {
  const { tools } = body;
  if (!Array.isArray(tools)) return;
  if (tools.length === 0) {
    for (const field of ["tools", "tool_choice", "parallel_tool_calls"]) delete body[field];
    return;
  }
  const { asksForParameters, schemaDrops } = vendor;
  const asked: readonly Fields[] = asksForParameters ? tools.map(withParameters) : tools;
  body["tools"] =
    schemaDrops.length === 0
      ? asked
      : asked.map((tool) => withPlainSchemaIn(tool, "function", "parameters", vendor));
}

/** Clients send null for no parameters, which is refused as well. */
function withParameters(tool: Fields): Fields {
  const given = tool?.["function"];
  if (!isFields(given)) return tool;
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  return { ...tool, function: { parameters: NO_PARAMETERS, ...said } };
}

/** The older form of tools. */
function repairFunctions(body: Body, { vendor }: EncodeTarget): void {
  const { functions } = body;
  if (!Array.isArray(functions)) return;
  body["functions"] = functions.map((each) => withPlainSchema(each, "parameters", vendor));
}

function repairFormat(body: Body, request: ChatRequest, { vendor }: EncodeTarget): void {
  if (isFormInPrompt(request, vendor)) {
    delete body["response_format"];
    return;
  }
  const format = body["response_format"];
  if (!isFields(format) || format["type"] !== "json_schema") return;
  body["response_format"] = vendor.jsonSchema
    ? withPlainSchemaIn(format, "json_schema", "schema", vendor)
    : { type: "json_object" };
}

function withPlainSchemaIn(given: Fields, inner: string, name: string, vendor: WireVendor): Fields {
  const holder = given?.[inner];
  const plain = withPlainSchema(holder, name, vendor);
  return plain === holder ? given : { ...given, [inner]: plain };
}

function withPlainSchema(holder: unknown, name: string, vendor: WireVendor): unknown {
  if (!isFields(holder)) return holder;
  const schema = holder[name];
  const plain = acceptedSchema(schema, vendor);
  return plain === schema ? holder : { ...holder, [name]: plain };
}
