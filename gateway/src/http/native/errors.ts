import { checkoutUrl } from "../../billing/index.ts";
import type { AppError } from "../../kit/index.ts";
import { markError } from "../mark-reply.ts";
import { jsonReply } from "../reply.ts";

/**
 * Renders an error in the main interface's format: `{error: {code, message, request_id}}`. With `publicUrl`, the message
 * of a 402 says where credits can be added.
 */
export function nativeError(error: AppError, requestId: string, publicUrl: string | null = null): Response {
  const body = errorBody(error, requestId);
  if (error.code === "insufficient_credits" && publicUrl !== null) {
    body.error.message += ` Add credits at ${checkoutUrl(publicUrl, error.options.missing)}`;
  }
  return markError("native", jsonReply(requestId, body, error.status), error);
}

/** The envelope of error replies, and of the error event. */
export function errorBody(error: AppError, requestId: string) {
  return { error: { code: error.code, message: error.message, request_id: requestId } };
}
