import { Link } from "wouter";
import type { SessionView } from "../../../src/http/console/contract.ts";

/** How one gets a link, as the question says why. */
export function NewLink({ session, question }: { session: SessionView; question: string }) {
  return (
    <p className="small dim">
      {question}{" "}
      {session.service.sendsMail ? (
        <Link href="/forgotten">Get a link by email</Link>
      ) : (
        <>
          The operator of this Bursar can print a one-time link with <code>bin/bursar member link</code>.
        </>
      )}
    </p>
  );
}
