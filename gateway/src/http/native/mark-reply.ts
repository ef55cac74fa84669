import { replyMarker } from "../mark-reply.ts";
import { setRateHeaders } from "./errors.ts";

/** For JSON replies and streams alike. */
export const markReply = replyMarker(setRateHeaders);
