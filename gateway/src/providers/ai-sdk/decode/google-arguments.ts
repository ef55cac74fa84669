import { isObject, mayHaveLongNumber, parseExactly } from "../../../kit/index.ts";

/** Names that the library rejects as unsafe, or an escape that may spell one. */
const FEARED_NAME = /"__proto__"|"constructor"|\\u00[5-7]/;

/**
 * Turns the arguments of calls in a Gemini event into text, which the library passes on unchanged. It would parse them
 * otherwise, and a tool would get a different id than the model wrote, or the answer would be lost because of an
 * argument's name. Only done if there may be a number too long for a double, or such a name.
 */
export function withExactArguments(data: string): string {
  if (!data.includes('"functionCall"') || (!mayHaveLongNumber(data) && !FEARED_NAME.test(data))) return data;
  let event: unknown;
  try {
    event = parseExactly(data);
  } catch {
    // The library reports what is wrong with it.
    return data;
  }
  for (const candidate of listIn(event, "candidates")) {
    for (const part of listIn(isObject(candidate) ? candidate["content"] : null, "parts")) {
      const call = isObject(part) ? part["functionCall"] : null;
      if (isObject(call) && isObject(call["args"])) call["args"] = JSON.stringify(call["args"]);
    }
  }
  return JSON.stringify(event);
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : null;
  return Array.isArray(list) ? list : [];
}
