import { Link } from "wouter";
import type { SessionView } from "../../../gateway/src/http/console/contract.ts";

type NewLinkProps = {
  readonly session: SessionView;
  readonly question: string;
  /** Opens in another tab, because this one must stay as it is. */
  readonly isAside?: boolean;
};

/** How to get a link; `question` says why one might want it. */
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
