import { useRef } from "react";
import { newRepeatKey, type PlayCall, type PlayError } from "./play.ts";
import type { ReferenceFile } from "./reference-file.ts";

type Unanswered = {
  readonly body: string;
  readonly files: readonly ReferenceFile[];
  readonly repeatKey: string;
};

/** After a connection that broke, the same wish gets what it had made, if anything, and is paid once. */
export function useRepeatKey() {
  const unanswered = useRef<Unanswered | null>(null);
  return {
    keyFor(call: PlayCall): string {
      const body = JSON.stringify(call.body);
      const files = Object.values(call.files ?? {});
      const before = unanswered.current;
      const isSame = before?.body === body && before.files.every((file, at) => file === files[at]);
      const repeatKey = isSame && before.files.length === files.length ? before.repeatKey : newRepeatKey();
      unanswered.current = { body, files, repeatKey };
      return repeatKey;
    },
    /**
     * Whatever refused this try, the one whose connection broke may still be paid for. A call that cost nothing has
     * freed its key, so keeping that is never wrong.
     */
    settle(failed?: PlayError): void {
      if (!failed || isDeadEnd(failed)) unanswered.current = null;
    },
  };
}

/** The key belongs to something that it can never be answered with; one that still runs says when to ask again. */
function isDeadEnd({ status, retryAfterSeconds }: PlayError): boolean {
  return status === 409 && retryAfterSeconds === null;
}
