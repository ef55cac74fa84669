import { useQueryClient } from "@tanstack/react-query";
import type { AssetRow } from "../../../gateway/src/http/console/contract.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { useSay } from "../../parts/toasts.tsx";
import { TYPE_WORDS, titleOf } from "./words.ts";

export function DeleteAsset({
  asset,
  onDone,
  onClose,
}: {
  asset: AssetRow;
  onDone(): void;
  onClose(): void;
}) {
  const remove = useCommand("delete-asset", ["assets"]);
  const client = useQueryClient();
  const say = useSay();
  const what = TYPE_WORDS[asset.type].toLowerCase();
  return (
    <Confirm
      title={asset.type === "audio" ? "Delete this audio file?" : `Delete this ${what}?`}
      action="Delete"
      isBusy={remove.isPending}
      problem={remove.error?.message ?? null}
      onConfirm={() =>
        remove.mutate(
          { id: asset.id },
          {
            onSuccess() {
              say(`${TYPE_WORDS[asset.type]} deleted.`);
              onDone();
              client.removeQueries({ queryKey: ["asset", { id: asset.id }] });
            },
          },
        )
      }
      onClose={onClose}
    >
      <div className="stack">
        <p dir="auto" className="clip-2">
          “{titleOf(asset)}”
        </p>
        <p>This cannot be undone, and its address stops working at once. The credits are not refunded.</p>
      </div>
    </Confirm>
  );
}
