import type { ResponseFormat } from "../../../gateway/src/contract/index.ts";
import type { Random } from "../random.ts";
import { makeValue } from "./make-value.ts";
import { createEffort, createSchemaReader } from "./schema-reader.ts";

/** The answer as JSON, with the plain answer in it if a property asks for one; null if JSON was not requested. */
export function structuredText(
  format: ResponseFormat | undefined,
  { plain, random }: { plain: string; random: Random },
): string | null {
  if (format === undefined || format.type === "text") return null;
  if (format.type === "json") return JSON.stringify({ provider: "sandbox", answer: plain });
  const reader = createSchemaReader(format.schema, createEffort());
  return JSON.stringify(makeValue({ reader, random, isFull: true, said: plain }));
}
