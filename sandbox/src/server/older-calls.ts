import { isObject } from "../../../gateway/src/kit/index.ts";
import { type Fields, listIn, textIn } from "./fields.ts";

/** The first form of calls on this wire: `functions` in the request, one `function_call` in an answer. */
export function isInOlderForm(body: Fields): boolean {
  return listIn(body, "tools").length === 0 && listIn(body, "functions").length > 0;
}

/** The same request in the form of today. */
export function withTools(body: Fields): Fields {
  const { functions: _functions, function_call: choice, ...rest } = body;
  const tools = listIn(body, "functions").map((made) => ({ type: "function", function: made }));
  const tool_choice = isObject(choice) ? { type: "function", function: choice } : choice;
  const messages = listIn(body, "messages").map(withCall);
  return { ...rest, messages, tools, tool_choice, parallel_tool_calls: false };
}

/** A call has no id of its own there: it is known by its function. */
function withCall(message: Fields): Fields {
  const { function_call: call, ...rest } = message;
  if (message["role"] === "function") return { ...rest, role: "tool", tool_call_id: textIn(message, "name") };
  if (!isObject(call)) return message;
  return { ...rest, tool_calls: [{ id: textIn(call, "name"), type: "function", function: call }] };
}

/** A reply or a chunk in that form. */
export function withoutTools(reply: Fields): Fields {
  return { ...reply, choices: listIn(reply, "choices").map(olderChoice) };
}

function olderChoice(choice: Fields): Fields {
  const name = "delta" in choice ? "delta" : "message";
  const said = isObject(choice[name]) ? choice[name] : {};
  const { tool_calls: _calls, ...rest } = said;
  const [call] = listIn(said, "tool_calls");
  const reason = choice["finish_reason"];
  return {
    ...choice,
    [name]: call === undefined ? rest : { ...rest, function_call: call["function"] },
    finish_reason: reason === "tool_calls" ? "function_call" : reason,
  };
}
