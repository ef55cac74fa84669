import { sha256, sha256Hex } from "../../../kit/index.ts";
import type { WireVendor } from "../vendor.ts";

const NINE = /^[a-zA-Z0-9]{9}$/;
/** The longest ids that OpenAI accepts: in a chat completion, and as the `call_id` of an item. */
const MOST_IN_CHAT = 40;
const MOST_IN_ITEM = 64;

/** The same id always gets the same replacement, so that a result still matches its call. */
export function encodeCallId(id: string, { toolCallId }: WireVendor): string {
  switch (toolCallId) {
    case "any":
      return id;
    case "short":
      return shortened(id, MOST_IN_CHAT);
    case "nine_alphanumerics":
      return NINE.test(id) ? id : nineOf(id);
  }
}

/** The same for items of the Responses API, where only the length of an id may be restricted. */
export function encodeItemCallId(id: string, { toolCallId }: WireVendor): string {
  return toolCallId === "short" ? shortened(id, MOST_IN_ITEM) : id;
}

function shortened(id: string, most: number): string {
  return id.length <= most ? id : `call_${sha256Hex(id).slice(0, 32)}`;
}

function nineOf(id: string): string {
  return sha256(id)
    .toString("base64")
    .replaceAll(/[^a-zA-Z0-9]/g, "0")
    .slice(0, 9);
}
