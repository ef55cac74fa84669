import { Link } from "wouter";
import type { SessionView } from "../../../gateway/src/http/console/contract.ts";

/** A way on from a dead end: to the console if signed in, else to the sign-in. */
export function WayOn({ session }: { session: SessionView | undefined }) {
  const email = session?.person?.email;
  return (
    <div className="stack">
      {email && <p className="small dim">You are signed in as {email}.</p>}
      <div>
        <Link href="/" className="button primary">
          {email ? "Go to the console" : "Go to sign-in"}
        </Link>
      </div>
    </div>
  );
}
