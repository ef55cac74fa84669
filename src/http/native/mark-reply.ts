import { replyMarker } from "../mark-reply.ts";
import { setRateHeaders } from "./errors.ts";

/** On JSON replies and streams alike. */
export const markReply = replyMarker(setRateHeaders);
