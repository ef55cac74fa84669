import { useState } from "react";
import type { KeyRow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk, useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { ago, counted } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { LongList } from "../../parts/long-list.tsx";
import { Page } from "../../parts/page.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Answer, Empty, Skeleton } from "../../parts/states.tsx";
import { useSay } from "../../toasts.tsx";
import { AdminsOnly } from "../members/admins-only.tsx";
import { KeyTable } from "./key-table.tsx";
import { MintKey } from "./mint-key.tsx";
import { RotateKey } from "./rotate-key.tsx";

function RevokeKey({ row, onClose }: { row: KeyRow; onClose(): void }) {
  const revoke = useCommand("key.revoke", ["key.list"]);
  const say = useSay();
  return (
    <Confirm
      title={`Revoke “${row.name}”?`}
      action="Revoke the key"
      isBusy={revoke.isPending}
      problem={revoke.error?.message}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(
          { id: row.id },
          {
            onSuccess: () => {
              say(`“${row.name}” no longer works.`);
              onClose();
            },
          },
        )
      }
    >
      <p>
        Programs that use it are refused within a second, and this cannot be undone. Calls in progress finish.{" "}
        {row.lastUsedAt ? `It was last used ${ago(row.lastUsedAt)}.` : "It was never used."}
      </p>
    </Confirm>
  );
}

type Doing = { readonly what: "mint" } | { readonly what: "rotate" | "revoke"; readonly row: KeyRow } | null;

export function KeysPage() {
  const { administers } = useSigned();
  return administers ? (
    <Keys />
  ) : (
    <AdminsOnly title="API keys" about="Only owners and admins can create and revoke keys." />
  );
}

function Keys() {
  const keys = useAsk("key.list", {}, { everyMs: 30_000 });
  const [doing, setDoing] = useState<Doing>(null);
  const close = () => setDoing(null);
  const mint = () => setDoing({ what: "mint" });
  return (
    <Page
      title="API keys"
      about="Programs call the gateway with a key. Spending is tracked for each key."
      actions={
        <Button look="primary" icon={<Icon name="plus" />} onClick={mint}>
          New key
        </Button>
      }
    >
      <Answer of={keys} waiting={<Skeleton height={260} />}>
        {({ keys: rows }) =>
          rows.length === 0 ? (
            <Card>
              <Empty icon={<Icon name="key-round" />} title="No keys yet">
                <p>
                  Create one, paste it into your program, and it can call every model you see under Models.
                </p>
                <Button look="primary" icon={<Icon name="plus" />} onClick={mint}>
                  Create the first key
                </Button>
              </Empty>
            </Card>
          ) : (
            <KeyList
              rows={rows}
              onRotate={(row) => setDoing({ what: "rotate", row })}
              onRevoke={(row) => setDoing({ what: "revoke", row })}
            />
          )
        }
      </Answer>
      {doing?.what === "mint" && <MintKey onClose={close} />}
      {doing?.what === "rotate" && <RotateKey row={doing.row} onClose={close} />}
      {doing?.what === "revoke" && <RevokeKey row={doing.row} onClose={close} />}
    </Page>
  );
}

type KeyListProps = {
  readonly rows: readonly KeyRow[];
  onRotate(row: KeyRow): void;
  onRevoke(row: KeyRow): void;
};

function KeyList({ rows, ...actions }: KeyListProps) {
  const working = rows.filter(({ state }) => state === "active");
  const [wanted, setShown] = useState<"working" | "all">("working");
  const hasBoth = working.length > 0 && working.length < rows.length;
  const shown = wanted === "working" && hasBoth ? working : rows;
  return (
    <LongList
      title={hasBoth ? (shown === rows ? "All keys" : "Active keys") : counted(rows.length, "key")}
      rows={shown}
      wordsOf={({ name }) => name}
      searchedBy="Name"
      whenNone="No matching keys"
      actions={
        hasBoth && (
          <Segments
            name="Keys to show"
            value={wanted}
            choices={[
              { value: "working", label: `Active ${working.length}` },
              { value: "all", label: `All ${rows.length}` },
            ]}
            onChoose={(next) => setShown(next)}
          />
        )
      }
    >
      {(found) => <KeyTable keys={found} {...actions} />}
    </LongList>
  );
}
