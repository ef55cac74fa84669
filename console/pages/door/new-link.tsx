import { Link } from "wouter";
import type { SessionView } from "../../../src/http/console/contract.ts";

type NewLinkProps = {
  readonly session: SessionView;
  readonly question: string;
  /** In another tab: this one has something that must stay. */
  readonly isAside?: boolean;
};

/** How one gets a link, as the question says why. */
export function NewLink({ session, question, isAside = false }: NewLinkProps) {
  return (
    <p className="small dim">
      {question}{" "}
      {session.service.sendsMail ? (
        isAside ? (
          <a href="/console/forgotten" target="_blank" rel="noreferrer">
            Get a link by email
          </a>
        ) : (
          <Link href="/forgotten">Get a link by email</Link>
        )
      ) : (
        <>
          The operator of this Bursar can print a one-time link with{" "}
          <code translate="no">{session.service.command} member link</code>.
        </>
      )}
    </p>
  );
}
