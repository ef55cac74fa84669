import type { Ask, SessionSubmission, Submission } from "./ask.ts";
import type { Reply } from "./reply.ts";

/**
 * A path of the console. What changes something is a submission, and says whose page its form must come
 * from; the check is made before it runs, so that no handler can forget it.
 */
export type Route = {
  /** Whole path; one group at most, which becomes `pathPart`. */
  readonly path: RegExp;
  show?(ask: Ask): Promise<Reply>;
  readonly submit?:
    | { readonly from: "visitor"; run(submission: Submission): Promise<Reply> }
    | { readonly from: "session"; run(submission: SessionSubmission): Promise<Reply> };
};
