import { invalid } from "../../kit/index.ts";
import { MODEL_ACCEPTS } from "../fields/model-id.ts";
import { type JsonObject, wholeNumberOf } from "./json-fields.ts";

/** Fields that the requests of both wires of this interface have in common. */

/** Clients request more than a model can write, and get what it can; anything above this is not a number of tokens. */
export const TOKENS = { min: 1, max: 2 ** 31 - 1 } as const;

export function modelIdOf({ model }: JsonObject): string {
  if (typeof model === "string" && model !== "") return model;
  throw invalid("model", MODEL_ACCEPTS);
}

/** The caller's own limit, which may be above the model's. */
export function outputLimitOf(body: JsonObject, field: string): number | undefined {
  return wholeNumberOf(body, field, TOKENS);
}
