import { useState } from "react";
import type { Queries } from "../../../gateway/src/http/console/contract.ts";
import { useAsk, useCommand } from "../../api/use-ask.ts";
import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { ago, counted, moment } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Answer, Empty, Notice, Skeleton } from "../../parts/states.tsx";
import { useSay } from "../../toasts.tsx";
import type { WebhookRow } from "./events.ts";
import { SECRET_LAST_WORDS, WebhookSecret } from "./new-webhook.tsx";

type DeliveryRow = Queries["delivery.list"]["output"]["rows"][number];

const STATES: Readonly<Record<DeliveryRow["status"], { label: string; look: BadgeLook }>> = {
  waiting: { label: "Retrying", look: "warn" },
  delivered: { label: "Delivered", look: "good" },
  failed: { label: "Given up", look: "bad" },
};
const PROBLEMS: Readonly<Record<string, string>> = {
  address: "The address may not be reached",
  connection: "Nothing answered",
  recipients: "Nobody could be written to",
  sealed: "The gateway's secret has changed: create the webhook anew",
  timeout: "No answer within 10 seconds",
};

/** What became of a webhook's events, and what can be done with it. */
export function Deliveries({ webhook, onGone }: { readonly webhook: WebhookRow; onGone(): void }) {
  const [cursor, setCursor] = useState<string>();
  const page = useAsk("delivery.list", { id: webhook.id, cursor }, { everyMs: 5_000, keepsOld: true });
  const replay = useCommand("delivery.replay", ["delivery.list"]);
  const say = useSay();
  return (
    <Card
      title={`Deliveries to ${webhook.host}`}
      isFlush
      actions={<Actions webhook={webhook} onGone={onGone} />}
    >
      {replay.error && <Notice look="bad">{replay.error.message}</Notice>}
      <Answer of={page} waiting={<Skeleton height={160} />}>
        {({ rows, nextCursor }) =>
          rows.length === 0 ? (
            <Empty title="Nothing was delivered in the last 30 days">
              <p>Send a test to see whether it arrives.</p>
            </Empty>
          ) : (
            <>
              <DeliveryTable
                rows={rows}
                busyWith={replay.isPending ? (replay.variables.event ?? null) : null}
                onReplay={({ eventId, type }) =>
                  replay.mutate(
                    { id: webhook.id, event: eventId },
                    { onSuccess: () => say(`${type} is delivered again.`) },
                  )
                }
              />
              {(cursor !== undefined || nextCursor !== null) && (
                <nav className="pager" aria-label="Pages of deliveries">
                  <Button disabled={cursor === undefined} onClick={() => setCursor(undefined)}>
                    Newest
                  </Button>
                  <Button disabled={nextCursor === null} onClick={() => setCursor(nextCursor ?? undefined)}>
                    Older
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </Answer>
    </Card>
  );
}

type DeliveryTableProps = {
  readonly rows: readonly DeliveryRow[];
  readonly busyWith: string | null;
  onReplay(row: DeliveryRow): void;
};

function DeliveryTable({ rows, busyWith, onReplay }: DeliveryTableProps) {
  return (
    <div className="table-scroll">
      <table className="table stacks">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">State</th>
            <th scope="col">Last try</th>
            <th scope="col" className="end">
              Status
            </th>
            <th scope="col" className="end">
              Milliseconds
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.eventId}>
              <th scope="row">
                <span className="named">
                  <span>{row.type}</span>
                  <code className="dim plain clip" translate="no">
                    {row.eventId}
                  </code>
                </span>
              </th>
              <td data-label="State">
                <State row={row} />
              </td>
              <td data-label="Last try" className="nowrap">
                {row.triedAt ? <span title={moment(row.triedAt)}>{ago(row.triedAt)}</span> : "Not yet"}
              </td>
              <td data-label="Status" className="end">
                {row.httpStatus ?? "–"}
              </td>
              <td data-label="Milliseconds" className="end">
                {row.ms ?? "–"}
              </td>
              <td className="end">
                <Button
                  look="quiet"
                  isIconOnly
                  icon={<Icon name="rotate-ccw" />}
                  title="Deliver again"
                  isBusy={busyWith === row.eventId}
                  onClick={() => onReplay(row)}
                >
                  Deliver {row.type} again
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function State({ row }: { readonly row: DeliveryRow }) {
  const isFresh = row.status === "waiting" && row.attempts === 0;
  const { label, look } = isFresh ? { label: "Waiting", look: "info" as const } : STATES[row.status];
  const problem = PROBLEMS[row.problem ?? ""];
  return (
    <span className="named">
      <span>
        <Badge look={look}>{label}</Badge>
      </span>
      {problem && <span className="dim small">{problem}</span>}
      {row.nextAt && !isFresh && (
        <span className="dim small" title={moment(row.nextAt)}>
          again {ago(row.nextAt)}
        </span>
      )}
      {row.attempts > 1 && (
        <span className="dim small">{counted(row.attempts, "try").replace("trys", "tries")}</span>
      )}
    </span>
  );
}

type Doing = "replay" | "rotate" | "remove" | null;

function Actions({ webhook, onGone }: { readonly webhook: WebhookRow; onGone(): void }) {
  const [doing, setDoing] = useState<Doing>(null);
  const test = useCommand("webhook.test", ["delivery.list"]);
  const update = useCommand("webhook.update", ["webhook.list"]);
  const say = useSay();
  const isPaused = webhook.pausedAt !== null;
  const failed = test.error ?? update.error;
  return (
    <>
      {failed && <span className="problem">{failed.message}</span>}
      <Button
        isBusy={test.isPending}
        disabled={isPaused}
        onClick={() => test.mutate({ id: webhook.id }, { onSuccess: () => say("A test is on its way.") })}
      >
        Send a test
      </Button>
      <Button isBusy={update.isPending} onClick={() => update.mutate({ id: webhook.id, paused: !isPaused })}>
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Button disabled={isPaused} onClick={() => setDoing("replay")}>
        Replay
      </Button>
      {webhook.kind === "webhook" && <Button onClick={() => setDoing("rotate")}>New secret</Button>}
      {webhook.kind !== "owners" && <Button onClick={() => setDoing("remove")}>Remove</Button>}
      {doing === "replay" && <ReplaySince webhook={webhook} onClose={() => setDoing(null)} />}
      {doing === "rotate" && <RotateSecret webhook={webhook} onClose={() => setDoing(null)} />}
      {doing === "remove" && (
        <RemoveWebhook webhook={webhook} onClose={() => setDoing(null)} onGone={onGone} />
      )}
    </>
  );
}

const HOURS = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
];

/** For a receiver that was away, or lost what it had. */
function ReplaySince({ webhook, onClose }: { readonly webhook: WebhookRow; onClose(): void }) {
  const replay = useCommand("delivery.replay", ["delivery.list"]);
  const [hours, setHours] = useState("24");
  const say = useSay();
  function start(): void {
    const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString();
    replay.mutate(
      { id: webhook.id, since },
      {
        onSuccess: ({ events }) => {
          say(`${counted(events, "event")} on the way again.`);
          onClose();
        },
      },
    );
  }
  return (
    <Dialog title="Deliver events again" onClose={onClose}>
      <div className="form">
        <p>
          Also those that arrived: each has its id, by which a receiver knows it. At most 10,000, the oldest.
        </p>
        <Segments name="Events of" value={hours} choices={HOURS} onChoose={(next) => setHours(next)} />
        {replay.error && <Notice look="bad">{replay.error.message}</Notice>}
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" isBusy={replay.isPending} onClick={start}>
            Deliver again
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function RotateSecret({ webhook, onClose }: { readonly webhook: WebhookRow; onClose(): void }) {
  const rotate = useCommand("webhook.rotate-secret", ["webhook.list"], { showsAnswer: true });
  const [isCopied, setCopied] = useState(false);
  const secret = rotate.data?.secret;
  return (
    <Dialog
      title="A new secret"
      isBusy={rotate.isPending}
      lastWords={secret && !isCopied ? SECRET_LAST_WORDS : null}
      onClose={onClose}
    >
      {secret ? (
        <WebhookSecret secret={secret} onCopied={() => setCopied(true)} onDone={onClose} />
      ) : (
        <div className="form">
          <p>For 24 hours each delivery is signed with both secrets, then with the new one alone.</p>
          {rotate.error && <Notice look="bad">{rotate.error.message}</Notice>}
          <div className="form-actions">
            <Button onClick={onClose} disabled={rotate.isPending}>
              Cancel
            </Button>
            <Button
              look="primary"
              isBusy={rotate.isPending}
              onClick={() => rotate.mutate({ id: webhook.id })}
            >
              Replace the secret
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

type RemoveProps = { readonly webhook: WebhookRow; onClose(): void; onGone(): void };

function RemoveWebhook({ webhook, onClose, onGone }: RemoveProps) {
  const remove = useCommand("webhook.remove", ["webhook.list"]);
  const say = useSay();
  return (
    <Confirm
      title={`Remove the webhook at ${webhook.host}?`}
      action="Remove the webhook"
      isBusy={remove.isPending}
      problem={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { id: webhook.id },
          {
            onSuccess: () => {
              say(`Nothing is sent to ${webhook.host} any more.`);
              onGone();
            },
          },
        )
      }
    >
      <p>It gets nothing more, and the list of its deliveries goes with it.</p>
    </Confirm>
  );
}
