import type { KeyRow } from "../../../gateway/src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { ago } from "../../parts/format.ts";
import { useSay } from "../../parts/toasts.tsx";

export function RevokeKey({ row, onClose }: { row: KeyRow; onClose(): void }) {
  const revoke = useCommand("revoke-key", ["keys"]);
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
