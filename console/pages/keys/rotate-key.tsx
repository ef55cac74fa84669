import { useState } from "react";
import type { KeyRow } from "../../../gateway/src/http/console/contract.ts";
import { UNREACHABLE } from "../../api/ask.ts";
import { useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Notice } from "../../parts/states.tsx";
import { SECRET_LAST_WORDS, SecretShown } from "./secret-shown.tsx";

type Grace = "0" | "24" | "168";

const GRACES: readonly { value: Grace; label: string; note: string }[] = [
  { value: "0", label: "At once", note: "The old one no longer works." },
  { value: "24", label: "After 24 hours", note: "The old one works for 24 more hours." },
  { value: "168", label: "After 7 days", note: "The old one works for 7 more days." },
];

/** A new secret for the same key: name, limits and history stay. */
export function RotateKey({ row, onClose }: { row: KeyRow; onClose(): void }) {
  const [isCopied, setCopied] = useState(false);
  const [grace, setGrace] = useState<Grace>("24");
  const rotate = useCommand("key.rotate", ["key.list"], { showsAnswer: true });
  const note = GRACES.find(({ value }) => value === grace)?.note;
  return (
    <Dialog
      title={rotate.data ? `A new secret for “${row.name}”` : `Replace the secret of “${row.name}”`}
      isWide={!!rotate.data}
      isBusy={rotate.isPending}
      lastWords={rotate.data && !isCopied ? SECRET_LAST_WORDS : null}
      onClose={onClose}
    >
      {rotate.data ? (
        <SecretShown
          minted={rotate.data}
          scopes={row.scopes}
          note={note}
          onCopied={() => setCopied(true)}
          onDone={onClose}
        />
      ) : (
        <div className="form">
          <p>You get a new secret. Name, scopes, limits and history of the key stay as they are.</p>
          <div className="field">
            <span className="label">The old secret stops working</span>
            <Segments
              name="The old secret stops working"
              value={grace}
              choices={GRACES}
              onChoose={(next) => setGrace(next)}
            />
            <span className="hint">Allow enough time to update every program that uses the old one.</span>
          </div>
          {rotate.error && <Notice look="bad">{rotate.error.message}</Notice>}
          {rotate.error?.problem === UNREACHABLE && (
            <Notice look="warn">
              The secret may have been replaced anyway. Replace it again: only a secret that you were shown is
              sure to work.
            </Notice>
          )}
          <div className="form-actions">
            <Button onClick={onClose} disabled={rotate.isPending}>
              Cancel
            </Button>
            <Button
              look="primary"
              isBusy={rotate.isPending}
              onClick={() => rotate.mutate({ id: row.id, grace: `${grace}h` })}
            >
              Replace the secret
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
