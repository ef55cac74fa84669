import { useRef } from "react";
import { newRepeatKey, type PlayCall, type PlayError, UNREACHABLE } from "./play.ts";

/** After a connection that broke, the same wish gets what it had made, if anything, and is paid once. */
export function useRepeatKey() {
  const unanswered = useRef<{ readonly body: string; readonly repeatKey: string } | null>(null);
  return {
    keyFor(call: PlayCall): string {
      const body = JSON.stringify(call.body);
      const before = unanswered.current;
      const repeatKey = before?.body === body ? before.repeatKey : newRepeatKey();
      unanswered.current = { body, repeatKey };
      return repeatKey;
    },
    /** It was answered; a refusal is an answer, too. */
    settle(failed?: PlayError): void {
      if (failed?.code !== UNREACHABLE) unanswered.current = null;
    },
  };
}
