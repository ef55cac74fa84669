import { Link } from "wouter";
import type { SessionView } from "../../../src/http/console/contract.ts";

/** From a door that does not open: to the console for who is in already, else to the sign-in. */
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
