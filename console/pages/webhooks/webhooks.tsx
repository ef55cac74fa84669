import { useState } from "react";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { ago, counted, day, moment } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Answer, Empty, Skeleton } from "../../parts/states.tsx";
import { AdminsOnly } from "../members/admins-only.tsx";
import { Deliveries } from "./deliveries.tsx";
import { eventWords, KINDS, type WebhookRow } from "./events.ts";
import { NewWebhook } from "./new-webhook.tsx";

export function WebhooksPage() {
  const { administers } = useSigned();
  return administers ? (
    <Webhooks />
  ) : (
    <AdminsOnly title="Webhooks" about="Only owners and admins can have events delivered." />
  );
}

function Webhooks() {
  const webhooks = useAsk("webhook.list", {}, { everyMs: 30_000 });
  const [isMaking, setMaking] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const make = () => setMaking(true);
  return (
    <Page
      title="Webhooks"
      about="Your programs, Slack or people are told what happens: payments, keys, members, videos."
      actions={
        <Button look="primary" icon={<Icon name="plus" />} onClick={make}>
          New webhook
        </Button>
      }
    >
      <Answer of={webhooks} waiting={<Skeleton height={200} />}>
        {({ webhooks: rows }) => {
          const shown = rows.find(({ id }) => id === chosen) ?? rows[0];
          if (!shown)
            return (
              <Card>
                <Empty icon={<Icon name="webhook" />} title="No webhooks yet">
                  <p>
                    Give a URL, and events are sent to it as they happen, signed and tried again for days.
                  </p>
                  <Button look="primary" icon={<Icon name="plus" />} onClick={make}>
                    Create the first webhook
                  </Button>
                </Empty>
              </Card>
            );
          return (
            <>
              <WebhookTable rows={rows} shown={shown} onShow={({ id }) => setChosen(id)} />
              <Deliveries key={shown.id} webhook={shown} onGone={() => setChosen(null)} />
            </>
          );
        }}
      </Answer>
      {isMaking && (
        <NewWebhook
          onClose={() => setMaking(false)}
          onMade={({ id, secret }) => {
            setChosen(id);
            if (secret === null) setMaking(false);
          }}
        />
      )}
    </Page>
  );
}

type WebhookTableProps = {
  readonly rows: readonly WebhookRow[];
  readonly shown: WebhookRow;
  onShow(row: WebhookRow): void;
};

function WebhookTable({ rows, shown, onShow }: WebhookTableProps) {
  return (
    <Card title={counted(rows.length, "webhook")} isFlush>
      <div className="table-scroll">
        <table className="table stacks">
          <thead>
            <tr>
              <th scope="col">Goes to</th>
              <th scope="col">Events</th>
              <th scope="col">State</th>
              <th scope="col">Created</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  <span className="named">
                    <span className="clip" title={row.host}>
                      {row.host}
                    </span>
                    <span className="dim small">{KINDS[row.kind]}</span>
                  </span>
                </th>
                <td data-label="Events">{eventWords(row.types)}</td>
                <td data-label="State">
                  <State row={row} />
                </td>
                <td data-label="Created" className="nowrap">
                  {day(row.createdAt)}
                </td>
                <td className="end">
                  <Button look="quiet" disabled={row.id === shown.id} onClick={() => onShow(row)}>
                    Deliveries
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function State({ row }: { readonly row: WebhookRow }) {
  if (row.pausedAt) return <Badge look="bad">Paused</Badge>;
  if (!row.failingSince) return <Badge look="good">Works</Badge>;
  return (
    <span className="named">
      <span>
        <Badge look="warn">Fails</Badge>
      </span>
      <span className="dim small" title={moment(row.failingSince)}>
        since {ago(row.failingSince)}
      </span>
    </span>
  );
}
