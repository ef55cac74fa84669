import { isObject, mayHaveLongNumber, parseExactly } from "../../kit/index.ts";

/** Names that the library fears for its objects, or an escape that may spell one. */
const FEARED_NAME = /"__proto__"|"constructor"|\\u00[5-7]/;

/**
 * An event of Gemini's with the arguments of its calls as text, which the library hands on as it is: it would parse them,
 * and a tool would be run on another id than the model wrote, or the answer be lost for what an argument is called. Only
 * where a number is too long for that, or such a name may be there.
 */
export function withExactArguments(data: string): string {
  if (!data.includes('"functionCall"') || (!mayHaveLongNumber(data) && !FEARED_NAME.test(data))) return data;
  let event: unknown;
  try {
    event = parseExactly(data);
  } catch {
    // The library says what is wrong with it.
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
