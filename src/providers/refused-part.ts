import { type ChatRequest, ProviderFailure } from "./contract.ts";

/** Of a part of a message that a target cannot be told of; another may. */
export function refusedPart(why: string): ProviderFailure {
  return new ProviderFailure("rejected", why, { field: NEUTRAL_NAME });
}

/** Of one that nobody can read. */
export function brokenPart(why: string): ProviderFailure {
  return new ProviderFailure("rejected", why, { param: NEUTRAL_NAME });
}

const NEUTRAL_NAME = "messages";

/** Encodes messages; what is refused of them is said to stand in the field where the client has put them. */
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
