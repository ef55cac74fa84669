import { type ChatRequest, ProviderFailure } from "../contract/index.ts";

/** A part of a message that this target does not support; another may. */
export function refusedPart(why: string): ProviderFailure {
  return new ProviderFailure("rejected", why, { field: NEUTRAL_NAME });
}

/** A part that no target could read. */
export function brokenPart(why: string): ProviderFailure {
  return new ProviderFailure("rejected", why, { param: NEUTRAL_NAME });
}

const NEUTRAL_NAME = "messages";

/** Encodes messages. Failures name the field in which the client sent them. */
export function namingMessages<Encoded>({ wire }: Pick<ChatRequest, "wire">, encode: () => Encoded): Encoded {
  if (wire?.kind !== "responses") return encode();
  try {
    return encode();
  } catch (error) {
    throw error instanceof ProviderFailure ? inResponse(error) : error;
  }
}

function inResponse(failure: ProviderFailure): ProviderFailure {
  const { kind, publicMessage, detail } = failure;
  if (detail.field === NEUTRAL_NAME)
    return new ProviderFailure(kind, publicMessage, { ...detail, field: "input" });
  if (detail.param === NEUTRAL_NAME)
    return new ProviderFailure(kind, publicMessage, { ...detail, param: "input" });
  return failure;
}
