import { ProviderFailure } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";

/** Different ones in a schema. Real schemas have some dozens. */
const MOST_REFERENCES = 1_000;

/** Refuses a schema with so many different references: following each takes long. */
export function refuseReferences(count: number): void {
  if (count > MOST_REFERENCES)
    throw new ProviderFailure(
      "rejected",
      `This model takes JSON schemas with at most ${MOST_REFERENCES} different references.`,
    );
}

/**
 * Refuses a schema for a library that follows references by recursion: each might lead to the next, and a chain of
 * thousands ends in a stack overflow.
 */
export function refuseManyReferences(schema: unknown): void {
  const found = new Set<string>();
  collect(schema, found);
  refuseReferences(found.size);
}

/** The depth is bounded by that of JSON bodies. */
function collect(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, found);
  else if (isObject(value)) {
    if (typeof value["$ref"] === "string") found.add(value["$ref"]);
    for (const item of Object.values(value)) collect(item, found);
  }
}
