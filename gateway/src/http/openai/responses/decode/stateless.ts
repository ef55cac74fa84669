import { AppError, invalid } from "../../../../kit/index.ts";
import { booleanOf, type JsonObject } from "../../json-fields.ts";

const WHOLE_INPUT = "nothing is kept between calls, so send the whole input with each of them";

/** Refuses fields that refer to something that an earlier call would have left behind. */
export function refuseState(body: JsonObject): void {
  const { previous_response_id: previous, conversation, prompt } = body;
  if (previous !== undefined && previous !== null) {
    const message = `previous_response_id: not found; ${WHOLE_INPUT}`;
    const options = { field: "previous_response_id", reason: "previous_response_not_found" } as const;
    throw new AppError("validation_error", message, options);
  }
  if (conversation !== undefined && conversation !== null)
    throw invalid("conversation", `must be absent; ${WHOLE_INPUT}`);
  if (prompt !== undefined && prompt !== null)
    throw invalid("prompt", `must be absent, since no templates are kept; ${WHOLE_INPUT}`);
  if (booleanOf(body, "background") === true)
    throw invalid("background", `must be false, since no reply can be fetched later; ${WHOLE_INPUT}`);
}

/** For an item that is only the id of an earlier one: without it, the model would answer half a conversation. */
export function referenceNotFound(at: string): AppError {
  const advice = "nothing is kept between calls, so set store: false and send the items whole";
  const message = `${at}: refers to an item of an earlier response, which was not found; ${advice}`;
  return new AppError("validation_error", message, { field: at, reason: "item_reference_not_found" });
}
