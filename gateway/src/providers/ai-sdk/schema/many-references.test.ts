import { expect, test } from "bun:test";
import { ProviderFailure } from "../../../contract/index.ts";
import { refuseManyReferences } from "./many-references.ts";
import { cleanSchema } from "./schema.ts";

/** Definitions, each of which refers to the next one. */
const chain = (length: number) => ({
  type: "object",
  properties: { a: { $ref: "#/$defs/d0" } },
  $defs: Object.fromEntries(
    Array.from({ length }, (_, at) => [`d${at}`, { anyOf: [{ $ref: `#/$defs/d${at + 1}` }] }]),
  ),
});

test("a schema with more than a thousand different references is refused", () => {
  expect(() => refuseManyReferences(chain(999))).not.toThrow();
  expect(() => refuseManyReferences(chain(1_000))).toThrow(ProviderFailure);
  expect(() => refuseManyReferences(chain(1_000))).toThrow("at most 1000 different references");
  const keywords = new Set(["type", "properties", "anyOf", "$ref"]);
  expect(() => cleanSchema(chain(999), keywords)).not.toThrow();
  expect(() => cleanSchema(chain(1_000), keywords)).toThrow(ProviderFailure);
  const same = Array.from({ length: 5_000 }, () => ({ $ref: "#/$defs/d0" }));
  expect(() => refuseManyReferences({ anyOf: same })).not.toThrow();
  expect(() => cleanSchema({ anyOf: same }, keywords)).not.toThrow();
});
