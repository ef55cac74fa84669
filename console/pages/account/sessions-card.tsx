import type { OwnSession } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk, useCommand } from "../../api/use-ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { ago, moment } from "../../parts/format.ts";
import { askFirst } from "../../parts/leaving.ts";
import { Answer, Notice, Skeleton } from "../../parts/states.tsx";
import { useSay } from "../../toasts.tsx";

/** Where the user is signed in: a stranger's device would show here. */
export function SessionsCard() {
  const sessions = useAsk("sessions", {});
  const everywhere = useCommand("sign-out-everywhere", []);
  const { person } = useSigned();
  return (
    <Card
      title="Where you are signed in"
      actions={
        <Button
          look="danger"
          isBusy={everywhere.isPending || everywhere.isSuccess}
          // Ask first: a user who stays because of unsaved changes must still be signed in.
          onClick={() =>
            askFirst(() => everywhere.mutate({}, { onSuccess: () => location.assign("/console") }))
          }
        >
          Sign out everywhere
        </Button>
      }
    >
      <div className="stack">
        {!person.hasPassword && (
          <p className="dim">
            You have no password yet: after signing out everywhere, you need a new link to sign in again.
          </p>
        )}
        {everywhere.error && <Notice look="bad">{everywhere.error.message}</Notice>}
        <Answer of={sessions} waiting={<Skeleton height={48} />}>
          {(rows) => (
            <ul className="stack">
              {rows.map((row) => (
                <SessionItem key={row.id} row={row} />
              ))}
            </ul>
          )}
        </Answer>
      </div>
    </Card>
  );
}

/** The time of last use is recorded only now and then, but this session is clearly in use. */
function usedWords({ isThis, address, lastSeenAt }: OwnSession): string {
  const words = isThis ? "in use now" : `last used ${ago(lastSeenAt)}`;
  return address ? `${address}, ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
}

function SessionItem({ row }: { row: OwnSession }) {
  const end = useCommand("end-session", ["sessions"]);
  const say = useSay();
  return (
    <li className="spread">
      <span className="named">
        <span className="row">
          <strong>{row.device}</strong>
          {row.isThis && <Badge look="good">This device</Badge>}
        </span>
        <span className="dim small" title={moment(row.lastSeenAt)}>
          {usedWords(row)}, signed in {ago(row.createdAt)}
        </span>
        {end.error && <span className="small">{end.error.message}</span>}
      </span>
      {!row.isThis && (
        <Button
          isBusy={end.isPending}
          onClick={() => end.mutate({ id: row.id }, { onSuccess: () => say(`${row.device} is signed out.`) })}
        >
          Sign out<span className="visually-hidden"> {row.device}</span>
        </Button>
      )}
    </li>
  );
}
