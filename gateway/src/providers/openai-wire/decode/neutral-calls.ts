import type { CallSink } from "./decode-calls.ts";

/**
 * Emits tool calls as neutral events. A custom call's text becomes the single field of a JSON object, escaped piece by
 * piece, since every neutral call is that of a function.
 */
export function createNeutralCalls(index: number): CallSink {
  const ofAnswer = index === 0 ? {} : { index };
  return {
    opened({ number, id, name, signature, isCustom }, out) {
      const sealed = signature === undefined ? {} : { signature };
      out.push({ type: "tool_start", call: number, id, name, ...sealed, ...ofAnswer });
      if (isCustom) out.push({ type: "tool_arguments", call: number, text: '{"input":"', ...ofAnswer });
    },
    wrote({ number, isCustom }, given, out) {
      const text = isCustom ? JSON.stringify(given).slice(1, -1) : given;
      out.push({ type: "tool_arguments", call: number, text, ...ofAnswer });
    },
    closed({ number, isCustom }, out) {
      if (isCustom) out.push({ type: "tool_arguments", call: number, text: '"}', ...ofAnswer });
    },
  };
}
