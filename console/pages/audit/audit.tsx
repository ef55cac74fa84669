import { useState } from "react";
import type { AuditRow } from "../../../gateway/src/http/console/contract.ts";
import { saveFile } from "../../api/save-file.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Pager, useFirstPageAfter, usePages } from "../../parts/pager.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Answer, Empty, Skeleton } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { AdminsOnly } from "../members/admins-only.tsx";

const PAGE_ROWS = 20;
const WAITING_HEIGHT = 460;
const LOGS = [
  { value: "own", label: "This organization" },
  { value: "operators", label: "Operators" },
] as const;
type Log = (typeof LOGS)[number]["value"];

/** Who changed what: for owners their organization's log, for operators their own, too. */
export function AuditPage() {
  const { person, organization } = useSigned();
  const isOwner = organization.role === "owner";
  const [log, setLog] = useState<Log>(isOwner ? "own" : "operators");
  if (!isOwner && !person.isOperator)
    return <AdminsOnly title="Audit log" about="Only owners can see who changed what." />;
  return (
    <Page
      title="Audit log"
      about="Every change to the organization, its people and its keys: who made it, and what was there before."
      actions={
        log === "own" && (
          <Button
            icon={<Icon name="download" />}
            onClick={() => void saveFile("audit.export", { organizationId: organization.id })}
          >
            Export CSV
          </Button>
        )
      }
    >
      {isOwner && person.isOperator && (
        <Segments<Log> name="Log" value={log} choices={LOGS} onChoose={setLog} />
      )}
      <Card title="Changes" isFlush>
        <Acts key={log} log={log} />
      </Card>
    </Page>
  );
}

function Acts({ log }: { log: Log }) {
  const pages = usePages();
  const { cursor } = pages;
  const input = { limit: PAGE_ROWS, ...(cursor === undefined ? {} : { cursor }) };
  const acts = useAsk(log === "own" ? "audit.list" : "installation:audit.list", input, { keepsOld: true });
  useFirstPageAfter(acts.error, pages);
  return (
    <Answer
      of={acts}
      waiting={
        <div className="card-body">
          <Skeleton height={WAITING_HEIGHT} />
        </div>
      }
    >
      {({ rows, nextCursor }) => (
        <>
          {rows.length > 0 ? (
            <Table rows={rows} />
          ) : (
            <Empty icon={<Icon name="scroll-text" />} title="No changes yet" />
          )}
          <Pager
            pages={pages}
            of="the log"
            nextCursor={nextCursor}
            isEmpty={rows.length === 0}
            isBusy={acts.isPlaceholderData}
          />
        </>
      )}
    </Answer>
  );
}

function Table({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <div className="table-scroll">
      <table className="table stacks">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Who</th>
            <th scope="col">When</th>
            <th scope="col">Before → after</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.seq}>
              <th scope="row" className="what">
                <code translate="no">{row.operation}</code> <span dir="auto">{row.objectName ?? ""}</span>
              </th>
              <td>
                <span dir="auto">{row.actorName}</span> <span className="dim">({THROUGH[row.face]})</span>
              </td>
              <td className="when">
                <When at={row.at} />
              </td>
              <td dir="auto">{changeWords(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const THROUGH: Readonly<Record<string, string>> = {
  console: "console",
  rest: "management key",
  cli: "command line",
};

/** `role: member → admin, name: Ann`. */
function changeWords({ before, after }: AuditRow): string {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .filter((field) => (before?.[field] ?? after?.[field] ?? null) !== null)
    .map((field) => `${field}: ${[before?.[field], after?.[field]].filter(isSaid).map(String).join(" → ")}`)
    .join(", ");
}

const isSaid = (value: unknown) => value !== undefined && value !== null;
